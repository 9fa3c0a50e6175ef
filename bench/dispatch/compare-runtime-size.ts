import { bundledSize, formatSize, type Size } from "../bundle.js";
import { ourDispatch, ourRuntime } from "../paths.js";
import { formatRatio, type Report } from "../report.js";

/** The hand-written files that check values; they come with the decoders. */
const DECODING = ["decode", "encode", "sendable", "sendable-passes", "walk"];
const TARGET = 8;

/** What a connection adds to an application. */
export async function compareRuntimeSize(): Promise<Report> {
  const decoding = DECODING.map(ourRuntime);
  const role = [
    `export { defineRole } from ${quote(ourRuntime("role/role"))};`,
    `export { RoleSession } from ${quote(ourRuntime("role/role-session"))};`,
  ];
  const memory = [...role, `export { memoryPair } from ${quote(ourRuntime("rpc/channel"))};`];
  const stdio = [
    ...memory,
    `export { spawnAgent, stdio } from ${quote(ourRuntime("stdio/index"))};`,
  ];
  const both = "createAgent, createClient";
  const whole = `export { ${both} } from ${quote(ourDispatch())};`;
  const sdk = 'export { agent, client, ndJsonStream } from "@agentclientprotocol/sdk";';
  const sizes: (readonly [string, Size])[] = [
    ["runtime in memory", await bundledSize(memory.join("\n"), decoding)],
    ["runtime over stdio", await bundledSize(stdio.join("\n"), [...decoding, "node:*"])],
    ["runtime over stdio, decoding", await bundledSize(stdio.join("\n"), ["node:*"])],
    ["both roles of v1 over stdio", await bundledSize([...stdio, whole].join("\n"), ["node:*"])],
    ["official SDK, both roles", await bundledSize(sdk, ["node:*"])],
  ];
  const [[, own], , , , [, peer]] = sizes as [Entry, Entry, Entry, Entry, Entry];
  return {
    title: "Dispatch: size in an application",
    notes: [
      "bundled by esbuild, minified, ES2022; gzip level 9; 1 kB is 1,000 bytes",
      `runtime: connection, roles and memory channel, without ${DECODING.join(", ")}, which come with the decoders; v1: with its methods and checks`,
    ],
    columns: ["", "minified", "gzipped", "of SDK's"],
    rows: sizes.map(([name, { minified, gzipped }]) => [
      name,
      formatSize(minified),
      formatSize(gzipped),
      formatRatio(gzipped / peer.gzipped),
    ]),
    goals: [
      {
        what: "runtime in memory, gzipped",
        bound: "at most",
        target: TARGET,
        measured: own.gzipped / 1000,
        unit: " kB",
      },
    ],
  };
}

type Entry = readonly [string, Size];

function quote(path: string): string {
  return JSON.stringify(path);
}
