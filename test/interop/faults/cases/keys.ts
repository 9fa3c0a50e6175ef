import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { runCases, type Case, type Fault } from "../fault.js";
import type { Peer } from "../peer.js";
import { describe, isRefusal, requestLine } from "../wire.js";

/** Names that every JavaScript object answers to. */
const INHERITED = [...Object.getOwnPropertyNames(Object.prototype), "prototype"];

const strings = JSON.parse(
  readFileSync(new URL("../../../fixtures/naughty-strings.json", import.meta.url), "utf8"),
) as readonly string[];

const POLLUTION = '{"polluted":true,"id":9,"method":"_fault/now","result":{},"error":{}}';

const cases: readonly Case[] = [
  ...INHERITED.map((name): Case => ({
    name: `method ${name}`,
    run: async (peer) => {
      const answers = await peer.exchange(requestLine("1", name, "{}"));
      return isRefusal(answers, -32601, 1) ? undefined : describe(answers);
    },
  })),
  ...["__proto__", "constructor"].flatMap((key): Case[] => [
    {
      name: `${key} in the envelope`,
      run: async (peer) => {
        const line = `{"jsonrpc":"2.0","id":1,"method":"_fault/echo","params":{},"${key}":${POLLUTION}}\n`;
        const answers = await peer.exchange(line);
        return isDeepStrictEqual(answers, [{ jsonrpc: "2.0", id: 1, result: {} }])
          ? undefined
          : describe(answers);
      },
    },
    {
      name: `an envelope in ${key}`,
      run: async (peer) => {
        const answers = await peer.exchange(`{"jsonrpc":"2.0","${key}":${POLLUTION}}\n`);
        return isRefusal(answers, -32600) ? undefined : describe(answers);
      },
    },
    {
      name: `${key} in params`,
      run: async (peer) => {
        const params = `{"cwd":"/","mcpServers":[],"_meta":{"${key}":${POLLUTION}}}`;
        await peer.exchange(requestLine("1", "session/new", params));
        return isDeepStrictEqual(await received(peer), JSON.parse(params)) ? undefined : "changed";
      },
    },
    {
      name: `what is asked for in ${key} of params`,
      run: async (peer) => {
        const params = `{"${key}":{"cwd":"/","mcpServers":[]}}`;
        const answers = await peer.exchange(requestLine("1", "session/new", params));
        return isRefusal(answers, -32602, 1) ? undefined : describe(answers);
      },
    },
  ]),
  {
    name: "all naughty strings as keys",
    run: async (peer) => {
      const entries = [...strings, ...INHERITED].map((key, index) => [key, index] as const);
      const deep: unknown = Object.fromEntries(entries);
      const params = { cwd: "/", mcpServers: [], _meta: { deep } };
      await peer.request("session/new", params);
      return isDeepStrictEqual(await received(peer), params) ? undefined : "changed";
    },
  },
  {
    name: "the prototype of objects, after all that",
    run: async (peer) => {
      const { result } = await peer.request("_fault/prototype");
      const names = Object.getOwnPropertyNames(Object.prototype).length;
      return isDeepStrictEqual(result, { polluted: false, names }) ? undefined : "polluted";
    },
  },
];

export const keys: readonly Fault[] = [
  {
    id: "B10",
    fault: "__proto__, constructor and 515 naughty strings as keys and names",
    asked: "nothing polluted, nothing inherited answers, keys kept",
    run: (library) => runCases(library, cases),
  },
];

/** The params that reached the handler. */
async function received(peer: Peer): Promise<unknown> {
  const { result } = await peer.request("_fault/seen");
  return (result as { seen: readonly { params: unknown }[] }).seen.at(-1)?.params;
}
