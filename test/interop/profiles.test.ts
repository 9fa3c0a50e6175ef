import { PROTOCOL } from "acp-bindings/v1";
import { checkConformance } from "acp-bindings/conformance";
import { beforeAll, describe, expect, test } from "vitest";
import type { Profile } from "../use/samples/profiles.js";
import { callsOf, checkTranscript, type Conformance } from "./conformance.js";
import { isLeftOut, scriptOf, WRITTEN_FOR } from "./scripts/script-of.js";
import { messageOracle, type MessageOracle } from "./message-oracle.js";
import { recordScript, type Entry, type Exit, type Recording } from "./transcript.js";
import { IS_DEEP } from "../support/deep.js";

/** Extension methods of all scripts. */
const EXTENSIONS = [
  "agent request _vendor/echo",
  "agent notification _vendor/ping",
  "client request _vendor/echo",
  "client notification _vendor/note",
  "client notification _vendor/pong",
];

const RELEASE: string = PROTOCOL.release;

/** The profiles of the official SDK. */
const PROFILES: readonly Profile[] = ["v1", "v1-unstable", "v1-full", "v2", "v2-unstable"];

const HINT = "completeScript makes a step of it, or isLeftOut says why none does";

const PAIRS = [
  { title: "our client and an agent on the official SDK", client: "bindings", agent: "sdk" },
  { title: "a client on the official SDK and our agent", client: "sdk", agent: "bindings" },
] as const;

/** The quick run has the largest profile of version 1 and the smallest of version 2. */
const profiles = PROFILES.filter((profile) => IS_DEEP || profile === "v1-full" || profile === "v2");

describe.each(profiles)("the scripts of %s", (profile) => {
  const { left, lacks } = scriptOf(profile);
  let oracle: MessageOracle;
  let recordings: readonly Recording[];
  beforeAll(async () => {
    const conversations = PAIRS.map((pair) => recordScript(profile, pair));
    oracle = await messageOracle(profile);
    recordings = await Promise.all(conversations);
  });

  test.skipIf(RELEASE !== WRITTEN_FOR)("has all of the release, and nothing else", () => {
    expect({ left, lacks }).toEqual({ left: [], lacks: [] });
  });

  describe.each(PAIRS)("$title", (pair) => {
    let transcript: readonly Entry[];
    let exits: readonly Exit[];
    let conformance: Conformance;
    beforeAll(() => {
      ({ transcript, exits } = recordings[PAIRS.indexOf(pair)]!);
      conformance = checkTranscript(transcript, oracle);
    });

    test("send and receive everything in the script, and end without errors", () => {
      expect(exits).toEqual([
        { code: 0, errors: "" },
        { code: 0, errors: "" },
      ]);
    });

    test("send only messages that all schemas and validators accept", () => {
      expect(conformance.violations).toEqual([]);
    });

    test("break no rule of behavior", () => {
      const entries = transcript.map(({ from, line }) => ({ from, message: JSON.parse(line) }));
      const { methods } = oracle;
      const errors = checkConformance(entries, { methods }).filter(
        ({ level }) => level === "error",
      );
      expect(errors).toEqual([]);
    });

    test("use every method of the profile except the listed ones", () => {
      // A proxy stands between a client and an agent; no role of the official SDK is one.
      const calls = callsOf(oracle.methods).filter(
        (call) =>
          !call.startsWith("proxy ") &&
          !lacks.includes(call) &&
          !isLeftOut(profile, call.split(" ")[2]!),
      );
      expect([...conformance.methods].sort(), HINT).toEqual([...calls, ...EXTENSIONS].sort());
    });

    test("use every kind of session update except the listed ones", () => {
      const standard = [...conformance.updates].filter((kind) => !kind.startsWith("_"));
      const expected = oracle.updates.filter((kind) => !isLeftOut(profile, kind));
      expect(standard.sort(), HINT).toEqual(expected.sort());
      expect(oracle.updates.length).toBeGreaterThanOrEqual(14);
    });

    test("are checked by a checker that notices a lost, repeated or changed message", () => {
      const replaced = (index: number, ...lines: readonly string[]): Conformance => {
        const entries = lines.map((line) => ({ ...transcript[index]!, line }));
        return checkTranscript(transcript.toSpliced(index, 1, ...entries), oracle);
      };
      const step = IS_DEEP ? 1 : 5;
      for (let index = 0; index < transcript.length; index += step) {
        const { line } = transcript[index]!;
        const message = JSON.parse(line) as object;
        expect(replaced(index)).not.toEqual(conformance);
        expect(replaced(index, line, line)).not.toEqual(conformance);
        for (const other of [
          line.slice(0, -1),
          JSON.stringify({ ...message, jsonrpc: "1.0" }),
          JSON.stringify({ ...message, extra: true }),
          JSON.stringify({ ...message, id: "id" in message ? "other" : 99 }),
        ])
          expect(replaced(index, other).violations).not.toEqual([]);
      }
    });

    test("cancel requests in both directions, which end as cancelled", () => {
      expect(conformance.errors.agent.filter((code) => code === -32800)).not.toEqual([]);
      expect(conformance.errors.client.filter((code) => code === -32800)).not.toEqual([]);
    });
  });
});
