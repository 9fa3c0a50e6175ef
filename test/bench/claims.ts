import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./paths.js";

const FILE = join(ROOT, "test/bench/claims.json");

/** A row of the README's table, by its first cell. */
export interface Claim {
  readonly ours: string;
  readonly peer: string;
  /** What prints it. */
  readonly command: string;
}

/** The rows that were recorded last. */
export function recordedClaims(): { readonly [what: string]: Claim } {
  return JSON.parse(readFileSync(FILE, "utf8")) as { readonly [what: string]: Claim };
}

/** Keeps rows in place of the earlier ones. */
export function recordClaims(claims: { readonly [what: string]: Claim }): void {
  const all = { ...recordedClaims(), ...claims };
  writeFileSync(FILE, `${JSON.stringify(all, undefined, 2)}\n`);
}

/** Returns a row as the README has it, apart from the spaces that align the columns. */
export function readmeRow(what: string, { ours, peer, command }: Claim): string {
  return `| ${what} | ${ours} | ${peer} | \`${command}\` |`;
}
