import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isObject } from "../../schema/json-schema/json.js";
import { isOutputPath } from "../file.js";

/** The remaining steps of a run once all files are staged. */
export interface Journal {
  readonly write: readonly WriteStep[];
  readonly remove: readonly RemoveStep[];
}

/** Moves a staged file into place. */
export interface WriteStep {
  readonly path: string;
  /** Digest of the staged text. */
  readonly sha256: string;
  /** Digest of the file that is replaced; absent when there is none. */
  readonly replaces?: string;
}

/** Removes a file. */
export interface RemoveStep {
  readonly path: string;
  /** Digest of the file. */
  readonly sha256: string;
}

/**
 * Prints a journal. It is signed with a key of this machine, together with the path of the output
 * folder, since a later run trusts it with what it moves and removes.
 */
export function printJournal(folder: string, { write, remove }: Journal): string {
  const steps = JSON.stringify({ write, remove });
  return JSON.stringify({ steps, signature: sign(folder, steps).toString("hex") });
}

/**
 * Parses a journal.
 *
 * @returns undefined for a text that this machine has not written for this folder
 */
export function parseJournal(folder: string, text: string): Journal | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { steps, signature } = value;
    if (typeof steps !== "string" || typeof signature !== "string") return undefined;
    if (!timingSafeEqual(Buffer.from(signature, "hex"), sign(folder, steps))) return undefined;
    const { write, remove } = JSON.parse(steps) as Journal;
    return [...write, ...remove].every(({ path }) => isOutputPath(path))
      ? { write, remove }
      : undefined;
  } catch {
    return undefined;
  }
}

function sign(folder: string, steps: string): Buffer {
  return createHmac("sha256", machineKey())
    .update(`${realpathSync(folder)}\n${steps}`)
    .digest();
}

let key: string | undefined;

/** Returns the key of this machine. Without a home to keep it in, each process has its own. */
function machineKey(): string {
  return (key ??= readKey() ?? createKey());
}

function readKey(): string | undefined {
  try {
    const text = readFileSync(keyFile(), "utf8");
    return text.length === 64 ? text : undefined;
  } catch {
    return undefined;
  }
}

function createKey(): string {
  const created = randomBytes(32).toString("hex");
  try {
    mkdirSync(dirname(keyFile()), { recursive: true });
    writeFileSync(keyFile(), created, { mode: 0o600, flag: "wx" });
  } catch {
    // Another process was faster, or there is no place for it.
    return readKey() ?? created;
  }
  return created;
}

function keyFile(): string {
  return join(homedir(), ".cache", "acp-codegen", "journal.key");
}
