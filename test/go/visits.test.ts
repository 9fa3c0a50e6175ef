import { readFileSync } from "node:fs";
import { METHODS } from "acp-bindings/v1";
import { checkConformance } from "acp-bindings/conformance";
import { expect } from "vitest";
import { OTHER_SUBJECTS } from "../behavior/subjects.js";
import { recordPrograms } from "../interop/transcript.js";
import { deepDescribe } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { buildTestee } from "./build-testee.js";
import { goTest } from "./go-test.js";
import { buildWithLibraries } from "./toolchain.js";

/** What a visitor sees at each agent of the behavior corpus. */
const SEEN = `authenticate:
locked: error -32000
new: ask
say hello: hello, end_turn
count 20: ${Array.from({ length: 20 }, (_, at) => at).join(", ")}, end_turn
ask: tool_call, completed, allowed, end_turn
ask: tool_call, failed, not allowed, end_turn
read /a.txt: content of /a.txt, end_turn
read /none: failed -32002, end_turn
tool: tool_call, completed, end_turn
plan: plan of 2, end_turn
title Visit: title Visit, end_turn
fail -32011 no: error -32011
throw secret: error -32603
wait: cancelled
set mode:
set model: large
list: 1
resume:
load: 12, user: say hello
close:
`;

function otherAgent(name: string): string {
  const command = OTHER_SUBJECTS.find(
    (one) => one.subject === "agent" && one.name.includes(name),
  )!.prepare();
  return command![0]!;
}

const folder = temporaryFolder();

function visitor(name: "own" | "sdk"): string {
  const main = readFileSync(`${ROOT}test/go/visitors/${name}.go.txt`, "utf8");
  return buildWithLibraries(folder, `visitor-${name}`, { "main.go": main });
}

const ownAgent = (): string => buildTestee("agent", 1);

/** Clients with agents. The packages of others are downloaded, and that in Rust is built for a minute. */
const PAIRS: readonly (readonly [client: string, agent: string, () => [string, string]])[] = [
  ["ours", "ours", () => [visitor("own"), ownAgent()]],
  ["ours", "acp-go-sdk", () => [visitor("own"), otherAgent("acp-go-sdk")]],
  ["acp-go-sdk", "ours", () => [visitor("sdk"), ownAgent()]],
  ["ours", "the Rust crate", () => [visitor("own"), otherAgent("Rust")]],
  [
    "the Rust crate",
    "ours",
    () => [otherAgent("Rust").replace(/rust-agent$/, "visitor"), ownAgent()],
  ],
];

deepDescribe("a visit in Go", () => {
  goTest.each(PAIRS)(
    "sees the same with a client on %s and an agent on %s",
    async (_client, _agent, build) => {
      const { transcript, exits } = await recordPrograms(...build());
      expect(exits[0]).toEqual({ code: 0, errors: SEEN });
      expect(exits[1].code).toBe(0);
      const entries = transcript.map(({ from, line }) => ({ from, message: JSON.parse(line) }));
      const findings = checkConformance(entries, { methods: METHODS });
      expect(findings.filter(({ level }) => level === "error")).toEqual([]);
    },
    300_000,
  );
});
