import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { httpTransport, webSocketTransport } from "acp-bindings/remote";
import { createClient } from "acp-bindings/v1";
import { WebSocket } from "ws";
import { summarize } from "../interleave.js";
import type { Report } from "../report.js";
import { moduleOf, OURS, SDK } from "./client-process.js";
import { writeUpdates } from "./updates.js";

const TRANSPORTS = ["web-socket", "http"] as const;
type Transport = (typeof TRANSPORTS)[number];

/** The most memory that a connection of ours may take, in kB. */
const TARGETS: { readonly [name in Transport]: number } = { "web-socket": 150, http: 210 };

const CONNECTIONS = 300;
const UPDATES = 20;
const ROUNDS = 3;

/** What a connection costs a server in memory, over WebSocket and over HTTP. */
export async function compareConnections(): Promise<Report> {
  const { file, note, remove } = await writeUpdates();
  try {
    const rows: { library: string; transport: Transport; kilobytes: number }[] = [];
    for (const transport of TRANSPORTS)
      for (const library of [OURS, SDK]) {
        const taken: number[] = [];
        for (let round = 0; round < ROUNDS; round++)
          taken.push(await measure(library, transport, file));
        rows.push({ library, transport, kilobytes: summarize(taken).median });
      }
    return {
      title: "Dispatch: the memory of a connection on a server",
      notes: [
        note,
        `growth of the resident memory of the server's process with ${CONNECTIONS} connections open, each after a turn of ${UPDATES} updates, and after a collection; medians of ${ROUNDS} processes`,
      ],
      columns: ["transport", "", "a connection"],
      rows: rows.map(({ library, transport, kilobytes }) => [
        transport,
        library,
        `${kilobytes.toFixed(0)} kB`,
      ]),
      goals: rows
        .filter(({ library }) => library === OURS)
        .map(({ transport, kilobytes }) => ({
          what: `a connection over ${transport}`,
          bound: "at most" as const,
          target: TARGETS[transport],
          measured: kilobytes,
          unit: " kB",
        })),
    };
  } finally {
    remove();
  }
}

/** Returns the memory of a connection, in kB. */
async function measure(library: string, transport: Transport, updates: string): Promise<number> {
  const agent = fileURLToPath(new URL("agent.mjs", import.meta.url));
  const server = fork(agent, [moduleOf(library), updates, transport], {
    execArgv: ["--expose-gc"],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  try {
    const [port] = (await once(createInterface({ input: server.stdout! }), "line")) as [string];
    const url = `http://127.0.0.1:${port}/acp`;
    // What the first connections compile and load stays.
    const first = await Promise.all(Array.from({ length: 20 }, () => open(url, transport)));
    const before = await residentMemory(server);
    const connections = [];
    for (let opened = 0; opened < CONNECTIONS; opened++)
      connections.push(await open(url, transport));
    const grown = (await residentMemory(server)) - before;
    for (const connection of [...first, ...connections]) connection.close();
    return grown / CONNECTIONS / 1000;
  } finally {
    server.kill();
  }
}

/** Opens a connection and takes a turn. */
async function open(url: string, transport: Transport) {
  const client = createClient({
    info: { name: "bench", version: "1.0.0" },
    handlers: {
      session: { update: {}, requestPermission: () => ({ outcome: { outcome: "cancelled" } }) },
    },
  });
  const connection = await client.connect(
    transport === "http"
      ? httpTransport(url)
      : webSocketTransport(new WebSocket(url.replace(/^http/, "ws"))),
  );
  const session = await connection.newSession({ cwd: "/" });
  await session.prompt(JSON.stringify({ count: UPDATES, every: 0 }));
  return connection;
}

async function residentMemory(server: ChildProcess): Promise<number> {
  server.send("memory");
  const [bytes] = (await once(server, "message")) as [number];
  return bytes;
}
