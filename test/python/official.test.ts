import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { METHODS } from "acp-bindings/v1";
import { SAMPLES, UPDATES } from "acp-bindings/v1/mocks";
import { expect } from "vitest";
import { canonicalJson } from "../../generators/schema/json-schema/json.js";
import { ROOT } from "../support/paths.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { PYTHON } from "./python-env.js";
import { toolsTest, runPython } from "./run-python.js";

const folder = temporaryFolder();
/** Methods and fields that the official package lacks or has in an older form; the name of a tool call as well. */
const LEFT_OUT = [
  "logout",
  "session/delete",
  "session/set_config_option",
  "elicitation/create",
  "elicitation/complete",
];
const UNKNOWN_UPDATES = [
  "notice",
  "compaction_update",
  "compaction_summary_chunk",
  "plan_update",
  "plan_removed",
  "subagent_update",
  "session_message",
  "session_message_chunk",
];

type Message = readonly [method: string, value: unknown];

interface Report {
  readonly received: readonly Message[];
  readonly results: { readonly [method: string]: unknown };
}

const samples: { readonly [definition: string]: unknown } = { ...SAMPLES };
const updates = Object.values({ ...UPDATES, tool_call: { ...UPDATES.tool_call, name: undefined } })
  .filter(({ sessionUpdate }) => !UNKNOWN_UPDATES.includes(sessionUpdate))
  .map(withoutNull);
const { sessionId } = SAMPLES.PromptRequest;

/** Lets two programs hold the conversation. Returns what arrived at both. */
function converse(client: string, agent: string): { readonly [program: string]: Report } {
  const data = join(folder, "data.json");
  writeFileSync(
    data,
    JSON.stringify({
      samples,
      updates,
      leftOut: LEFT_OUT,
      agentCapabilities: SAMPLES.InitializeResponse.agentCapabilities,
      clientCapabilities: SAMPLES.InitializeRequest.clientCapabilities,
    }),
  );
  const program = (name: string): string => `test/python/programs/${name}.py`;
  const report = (name: string): string => join(folder, `${name}.json`);
  const command = ["env", `REPORT=${report(agent)}`, PYTHON, program(agent), "agent"];
  const { code, err } = runPython([program(client), "client", ...command], "", {
    DATA: data,
    REPORT: report(client),
  });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const read = (name: string): Report => JSON.parse(readFileSync(report(name), "utf8")) as Report;
  return { [client]: read(client), [agent]: read(agent) };
}

/** A value without what the official package leaves out. */
function withoutNull(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, part: unknown) => part ?? undefined));
}

/** The messages that our side of a conversation receives, in any order. */
function expected(side: "agent" | "client"): Message[] {
  const methods = METHODS.filter(
    (method) => method.side === side && !["initialize", "session/cancel"].includes(method.name),
  );
  return methods
    .filter(({ name }) => !LEFT_OUT.includes(name))
    .flatMap(({ name, params }): Message[] =>
      name === "session/update"
        ? updates.map((update) => [name, { sessionId, update }])
        : [[name, samples[params]]],
    );
}

function sorted(messages: readonly Message[]): string[] {
  const texts = messages.map(([method, value]) => canonicalJson([method, withoutNull(value)]));
  return texts.sort();
}

function expectSamples(ours: Report, own: "agent" | "client"): void {
  expect(sorted(ours.received)).toEqual(sorted(expected(own)));
  for (const [name, result] of Object.entries(ours.results)) {
    const method = METHODS.find((one) => one.name === name)!;
    expect(withoutNull(result), name).toEqual(withoutNull(samples[method.result!]));
  }
}

toolsTest("the official package's agent answers every call of a Python client", () => {
  const reports = converse("ours", "official");
  expectSamples(reports["ours"]!, "client");
  expect(Object.keys(reports["ours"]!.results)).toHaveLength(8);
  expect(Object.keys(reports["official"]!.results)).toHaveLength(8);
});

toolsTest("the official package's client gets every update and call of a Python agent", () => {
  const reports = converse("official", "ours");
  expectSamples(reports["ours"]!, "agent");
  expect(Object.keys(reports["ours"]!.results)).toHaveLength(8);
  const got = reports["official"]!.received.filter(([name]) => name === "session_update");
  expect(got.map(([, value]) => (value as { readonly update: unknown }).update)).toEqual(updates);
});

const NAMED = `
import inspect, json, sys
from acp import Agent
from acp.agent.connection import AgentSideConnection
for name, given in json.load(sys.stdin):
    found = getattr(Agent, name, None) or getattr(AgentSideConnection, name)
    names = list(inspect.signature(found).parameters)[1:]
    assert names[: len(given)] == given, f"{name}: {names}, not {given}"
`;

toolsTest("the page about the official package names parameters in their order", () => {
  const page = readFileSync(join(ROOT, "templates/site/guides/tool/python-sdk.md"), "utf8");
  const rows = page.matchAll(/^\| `(?:conn\.)?([a-z]\w+)\((\w+(?:, \w+)*)[,)]/gm);
  const calls = [...rows].map(([, name, names]) => [name!, names!.split(", ")] as const);
  const official = calls.filter(([name]) => !["run_agent", "spawn_agent_process"].includes(name));
  expect(official.length).toBeGreaterThan(4);
  const { err } = runPython(["-c", NAMED], JSON.stringify(official));
  expect(err).toBe("");
});
