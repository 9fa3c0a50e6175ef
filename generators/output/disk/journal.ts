import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../schema/json-schema/json.js";
import { isOutputPath } from "../file.js";
import { makeFolder, userFolder } from "./folders.js";

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
  return (key ??= readOrCreateKey());
}

function readOrCreateKey(): string {
  const created = randomBytes(32).toString("hex");
  const folder = userFolder();
  if (folder === undefined) return created;
  const file = join(folder, "journal.key");
  const known = readKey(file);
  if (known !== undefined) return known;
  try {
    makeFolder(folder);
    writeFileSync(file, created, { mode: 0o600, flag: "wx" });
  } catch {
    // Another process was faster, or there is no place for it.
    return readKey(file) ?? created;
  }
  return created;
}

function readKey(file: string): string | undefined {
  try {
    const text = readFileSync(file, "utf8");
    return text.length === 64 ? text : undefined;
  } catch {
    return undefined;
  }
}
