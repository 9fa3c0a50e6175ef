import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../schema/json-schema/json.js";
import { makeFolder, userFolder } from "./folders.js";

/**
 * Signs a text with a key of this machine, for files that only this machine may have written.
 *
 * @param purpose what the text is for; the signature holds for nothing else
 * @returns the text with its signature, as JSON
 */
export function printSigned(purpose: string, text: string): string {
  return JSON.stringify({ text, signature: sign(purpose, text).toString("hex") });
}

/**
 * Returns the text of `printSigned`; undefined for anything that this machine has not signed for
 * this purpose.
 */
export function parseSigned(purpose: string, signed: string): string | undefined {
  try {
    const value: unknown = JSON.parse(signed);
    if (!isObject(value)) return undefined;
    const { text, signature } = value;
    if (typeof text !== "string" || typeof signature !== "string") return undefined;
    const isOurs = timingSafeEqual(Buffer.from(signature, "hex"), sign(purpose, text));
    return isOurs ? text : undefined;
  } catch {
    return undefined;
  }
}

function sign(purpose: string, text: string): Buffer {
  return createHmac("sha256", machineKey()).update(`${purpose}\n${text}`).digest();
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
  const file = join(folder, "machine.key");
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
