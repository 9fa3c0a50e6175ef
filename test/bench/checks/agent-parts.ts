import { bundledSize, type Size } from "./bundled-size.js";

/** A minimal agent of version 1, from the sources of the bindings, whose modules the package bundles. */
const AGENT = `
import { createAgent } from "./out/typescript/src/v1/index.ts";
import { stdio } from "./out/typescript/src/runtime/stdio/index.ts";
createAgent({
  info: { name: "minimal", version: "1.0.0" },
  handlers: { session: { new: () => ({ sessionId: "s" }), prompt: () => ({ stopReason: "end_turn" }) } },
}).connect(stdio());
`;

/** The parts by the beginnings of their paths in the sources; of two, the upper one has a module. */
const PARTS: readonly (readonly [name: string, path: string])[] = [
  ["checks of the definitions", "v1/internal/checks"],
  ["table of the methods", "v1/methods"],
  ["createAgent", "v1/"],
  ["decode, validate, encode", "runtime/validate/"],
  ["JSON-RPC", "runtime/rpc/"],
  ["stdio", "runtime/stdio/"],
  ["gates", "runtime/gates/"],
  ["checks of the options", "runtime/role/options/"],
  ["extensions", "runtime/role/extensions/"],
  ["roles", "runtime/role/"],
  ["sessions of the agent", "runtime/agent/"],
  ["sessions of both sides", "runtime/session/"],
  ["forms, sentences, errors and the rest", "runtime/"],
];

/** The size of a minimal agent. */
export interface AgentSize extends Size {
  /** The minified bytes of each part, by its name. */
  readonly parts: ReadonlyMap<string, number>;
}

/** Bundles a minimal agent, and adds up the bytes of its parts. */
export async function agentSize(): Promise<AgentSize> {
  const size = await bundledSize(AGENT);
  const parts = new Map(PARTS.map(([name]) => [name, 0]));
  for (const [path, bytes] of size.modules) {
    const part = PARTS.find(([, start]) => path.startsWith(`out/typescript/src/${start}`));
    if (part !== undefined) parts.set(part[0], parts.get(part[0])! + bytes);
  }
  return { ...size, parts };
}
