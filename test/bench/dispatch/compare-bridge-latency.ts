import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { quantile } from "../interleave.js";
import { bindings, ROOT } from "../paths.js";
import { roundsNote, type Report } from "../report.js";

const ROUNDS = { warmup: 1, measured: 7 };
const TURN = { count: 500, pauseMs: 1 };
/** The most that the bridge may add to the median of the proxy, in microseconds. */
const TARGET = 150;
const PEERS = join(ROOT, "test/bench/dispatch/bridge-peers.mjs");
const AGENT = [PEERS, "agent", String(TURN.count), String(TURN.pauseMs)];

/** Both chains to an agent of version 2; the client speaks version 1 to the bridge, and 2 to the proxy. */
const CHAINS = {
  "parse and print": { version: 2, command: [PEERS, "proxy", ...AGENT.slice(2)] },
  bridge: {
    version: 1,
    command: [bindings("bridge/command"), "--quiet", "--", process.execPath, ...AGENT],
  },
} as const;

type Chain = keyof typeof CHAINS;

/** How long an update is on its way over stdio through the bridge, beside a proxy that only parses and prints. */
export async function compareBridgeLatency(): Promise<Report> {
  const medians: Record<Chain, number[]> = { "parse and print": [], bridge: [] };
  for (let round = 0; round < ROUNDS.warmup + ROUNDS.measured; round++)
    for (const chain of Object.keys(CHAINS) as Chain[]) {
      const median = medianOf(await latencies(chain));
      if (round >= ROUNDS.warmup) medians[chain].push(median);
    }
  const [proxy, bridge] = [medianOf(medians["parse and print"]), medianOf(medians.bridge)];
  return {
    title: "Bridge: latency of an update over stdio",
    notes: [
      `one update, then ${TURN.pauseMs} ms of rest, ${TURN.count} times a turn; from the agent's clock to the client's, through a process between them`,
      roundsNote(ROUNDS),
    ],
    columns: ["", "p50", "added"],
    rows: [
      ["parse and print", `${proxy.toFixed(0)} µs`, ""],
      ["bridge, to version 1", `${bridge.toFixed(0)} µs`, `${(bridge - proxy).toFixed(0)} µs`],
    ],
    goals: [
      {
        what: "latency that the bridge adds to the proxy's, p50",
        bound: "at most",
        target: TARGET,
        measured: bridge - proxy,
        unit: " µs",
      },
    ],
  };
}

/** Runs one turn. Returns the latency of every update, in microseconds. */
function latencies(chain: Chain): Promise<number[]> {
  const { version, command } = CHAINS[chain];
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
      const text = params?.update.content?.text;
      if (text !== undefined) found.push(Number(now - BigInt(text)) / 1000);
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
  readonly params?: { readonly update: { readonly content?: { readonly text: string } } };
}
