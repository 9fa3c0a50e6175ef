import { expect } from "vitest";
import {
  agent,
  client,
  greet,
  s,
  start,
  update,
} from "../../../templates/conformance/transcript-builder.js";
import { checkConformance, type TranscriptEntry } from "acp-bindings/conformance";
import { advertisement, type GateRow, type Mechanism } from "./capability-rows.js";

/** The rule that enforces a row, and conversations that keep and that break it. */
interface Case {
  readonly rule: string;
  readonly keeping: readonly (readonly TranscriptEntry[])[];
  readonly breaking: readonly (readonly TranscriptEntry[])[];
}

/** The value that an agent advertises at a path, without the name of all its capabilities. */
function has(path: string, value: unknown): Readonly<Record<string, unknown>> {
  return Object.values(advertisement(path, value))[0] as Readonly<Record<string, unknown>>;
}

function syncKind(path: string): Case {
  const change = (kind: string, ...contentChanges: object[]) => [
    ...greet(1, { agentHas: has(path, kind) }),
    client.notify("document/didChange", s({ contentChanges })),
  ];
  const whole = { text: "" };
  const part = { text: "", range: {} };
  return {
    rule: "nes-sync-kind",
    keeping: [
      change("full", whole),
      change("full", { ...whole, range: null }),
      change("incremental", part),
      change("incremental", part, whole),
    ],
    breaking: [change("full", part), change("full", whole, whole)],
  };
}

function archived(path: string, version: number): Case {
  const list = (value: unknown, fields: object) => [
    ...greet(version, { agentHas: has(path, value) }),
    client.ask(1, "session/list"),
    agent.result(1, { sessions: [{ sessionId: "s", cwd: "/", ...fields }] }),
  ];
  return {
    rule: "listed-archived",
    keeping: [list({}, { archived: false }), list({}, { archived: true }), list(null, {})],
    breaking: [list({}, {}), list({}, { archived: null })],
  };
}

function subagent(): Case {
  const child = { sessionId: "child" };
  const cancel = (...updates: object[]) => [
    ...start(1),
    ...updates.map((fields) => update("subagent_update", { ...child, ...fields })),
    client.notify("session/cancel", child),
  ];
  const granted = { capabilities: { cancel: {} } };
  return {
    rule: "subagent-cancel",
    keeping: [cancel(granted), cancel({}, granted), cancel(granted, { title: "Tests" })],
    breaking: [
      ...[cancel({}), cancel({ capabilities: {} }), cancel({ capabilities: { cancel: null } })],
      cancel(granted, { capabilities: null }),
    ],
  };
}

function caseOf({ target, requires, protocol }: GateRow): Case {
  if (target.kind === "payload") return syncKind(requires!.path);
  if (target.method === "session/cancel") return subagent();
  expect([target.def, target.property]).toEqual(["SessionInfo", "archived"]);
  return archived(requires!.path, protocol === "v2" ? 2 : 1);
}

export const conformanceRule: Mechanism = (row) => {
  const { rule, keeping, breaking } = caseOf(row);
  const isBroken = (entries: readonly TranscriptEntry[]): boolean =>
    checkConformance(entries).some((violation) => violation.rule === rule);
  expect(keeping.filter(isBroken)).toEqual([]);
  expect(breaking.filter((entries) => !isBroken(entries))).toEqual([]);
};
