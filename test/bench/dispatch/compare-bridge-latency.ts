import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { quantile, schedule } from "../interleave.js";
import { bindings, ROOT } from "../paths.js";
import { roundsNote, type Report } from "../report.js";

const ROUNDS = { warmup: 1, measured: 7 };
const TURN = { count: 500, pauseMs: 1 };
/** The most that the bridge may add to the median of the proxy, in microseconds. */
const TARGET = 150;
const PEERS = join(ROOT, "test/bench/dispatch/bridge-peers.mjs");

type Version = 1 | 2;

/** A process between a client of a version and an agent. */
interface Chain {
  readonly name: string;
  /** The version of the client. */
  readonly version: Version;
  readonly command: readonly string[];
}

/**
 * How long an update is on its way over stdio through the bridge, beside a proxy that only parses and
 * prints, to a client of each version.
 */
export async function compareBridgeLatency(): Promise<Report[]> {
  return [await report(1), await report(2)];
}

/** @param version the version of the client */
async function report(version: Version): Promise<Report> {
  const other = version === 1 ? 2 : 1;
  const turn = [String(other), String(TURN.count), String(TURN.pauseMs)];
  const agent = [process.execPath, PEERS, "agent", ...turn];
  const chains: readonly Chain[] = [
    // The client of the proxy speaks the version of the agent.
    { name: "parse and print", version: other, command: [PEERS, "proxy", ...turn] },
    {
      name: `bridge, to version ${version}`,
      version,
      command: [bindings("bridge/command"), "--quiet", "--", ...agent],
    },
  ];
  const medians = chains.map((): number[] => []);
  for (const { place, counts } of schedule(chains.length, ROUNDS)) {
    const median = medianOf(await latencies(chains[place]!));
    if (counts) medians[place]!.push(median);
  }
  const [proxy, bridge] = medians.map(medianOf) as [number, number];
  return {
    title: `Bridge: latency of an update over stdio to a client of version ${version}`,
    notes: [
      `one update, then ${TURN.pauseMs} ms of rest, ${TURN.count} times a turn; from the agent's clock to the client's, through a process between them`,
      roundsNote(ROUNDS),
    ],
    columns: ["", "p50", "added"],
    rows: [
      [chains[0]!.name, `${proxy.toFixed(0)} µs`, ""],
      [chains[1]!.name, `${bridge.toFixed(0)} µs`, `${(bridge - proxy).toFixed(0)} µs`],
    ],
    goals: [
      {
        what: `latency that the bridge to version ${version} adds to the proxy's, p50`,
        bound: "at most",
        target: TARGET,
        measured: bridge - proxy,
        unit: " µs",
      },
    ],
  };
}

/** Runs one turn. Returns the latency of every update, in microseconds. */
function latencies({ version, command }: Chain): Promise<number[]> {
  const child = spawn(process.execPath, command, { stdio: ["pipe", "pipe", "inherit"] });
  const found: number[] = [];
  const send = (id: number, method: string, params: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  const info = { name: "client", version: "1" };
  send(1, "initialize", { protocolVersion: version, info, clientInfo: info, capabilities: {} });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => resolve(found));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const now = process.hrtime.bigint();
      const { id, params } = JSON.parse(line) as Incoming;
      if (id === 1) send(2, "session/new", { cwd: "/", mcpServers: [] });
      if (id === 2)
        send(3, "session/prompt", { sessionId: "s", prompt: [{ type: "text", text: "Go" }] });
      const text =
        params?.update.sessionUpdate === "agent_message_chunk" && params.update.content?.text;
      if (text) found.push(Number(now - BigInt(text)) / 1000);
      if (found.length === TURN.count) child.stdin.end();
    });
  });
}

function medianOf(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

interface Incoming {
  readonly id?: number;
  readonly params?: {
    readonly update: {
      readonly sessionUpdate: string;
      readonly content?: { readonly text: string };
    };
  };
}
