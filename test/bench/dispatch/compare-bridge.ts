import * as bridge from "acp-bindings/bridge";
import { STATE_LOSSES, TO_V1, TO_V2 } from "../../../out/typescript/src/bridge/tables.js";
import { BridgeCore } from "../../../templates/runtime/bridge/core.js";
import { loadSamples } from "../checks/samples.js";
import { drawStreamingMix } from "../checks/streaming-mix.js";
import { interleave, type Implementation } from "../interleave.js";
import { findResult, resultCells, resultColumns, roundsNote, type Report } from "../report.js";

const ROUNDS = { warmup: 5, measured: 21 };
/** How often the messages of the mix pass in a round. */
const REPEATED = 20;
const BASELINE = "parse and print";
/** The most that the bridge may cost, as a multiple of the baseline. */
const TARGET = 2;

type Version = 1 | 2;

/** The cost of an update through the bridge, beside a proxy that only parses and prints. */
export async function compareBridge(): Promise<Report[]> {
  return [report(1), report(2)];
}

/** @param version the version of the client */
function report(version: Version): Report {
  const updates = drawStreamingMix(loadSamples().valid).filter(
    ({ def }) => def === "SessionNotification",
  );
  const lines = updates.flatMap(({ value }) => {
    const params = version === 1 ? bridge.v1ToV2SessionNotification(value as never).value : value;
    return params === undefined
      ? []
      : [JSON.stringify({ jsonrpc: "2.0", method: "session/update", params })];
  });
  const through = openBridge(version);
  const name = `bridge, to version ${version}`;
  const results = interleave(
    [
      passing(BASELINE, lines, (line) => void JSON.stringify(JSON.parse(line))),
      passing(name, lines, (line) => through(JSON.parse(line))),
    ],
    ROUNDS,
  );
  const own = findResult(results, name);
  const baseline = findResult(results, BASELINE);
  return {
    title: `Bridge: updates to a client of version ${version}`,
    notes: [
      `${lines.length} updates of the streaming mix, from text to text, ${REPEATED} times a round`,
      roundsNote(ROUNDS),
    ],
    columns: ["", ...resultColumns(BASELINE), "per update"],
    rows: results.map((result) => [
      result.name,
      ...resultCells(result, baseline),
      `${((result.cpu.median * 1e6) / lines.length / REPEATED).toFixed(2)} µs`,
    ]),
    goals: [
      {
        what: `CPU of an update to version ${version}, of parsing and printing it`,
        bound: "at most",
        target: TARGET,
        measured: own.cpu.median / baseline.cpu.median,
        unit: "×",
      },
    ],
  };
}

/** Opens a bridge that prints what it sends to the client. Returns what takes the agent's messages. */
function openBridge(version: Version): (message: unknown) => void {
  const other = version === 1 ? 2 : 1;
  let id: unknown;
  const core = new BridgeCore({
    tables: { toV1: TO_V1, toV2: TO_V2, states: STATE_LOSSES },
    agentVersion: other,
    onLoss: () => {},
    send: {
      client: (message) => void JSON.stringify(message),
      agent: (message) => (id = (message as { readonly id: unknown }).id),
    },
  });
  core.fromClient({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: version },
  });
  core.fromAgent({ jsonrpc: "2.0", id, result: { protocolVersion: other } });
  return (message) => core.fromAgent(message);
}

function passing(
  name: string,
  lines: readonly string[],
  pass: (line: string) => void,
): Implementation {
  return {
    name,
    run: () => {
      const [cpu, wall] = [process.cpuUsage(), performance.now()];
      for (let count = 0; count < REPEATED; count++) for (const line of lines) pass(line);
      const { user, system } = process.cpuUsage(cpu);
      return { cpu: (user + system) / 1e6, wall: (performance.now() - wall) / 1e3 };
    },
  };
}
