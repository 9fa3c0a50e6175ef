import { checkConformance } from "acp-bindings/conformance";
import { expect } from "vitest";
import type { Profile } from "../use/samples/profiles.js";
import { checkTranscript } from "./conformance.js";
import { messageOracle } from "./message-oracle.js";
import { recordScript, type Library } from "./transcript.js";

/** Expects two libraries to play the script of a profile with valid messages, and to break no rule. */
export async function expectConversation(
  profile: Profile,
  libraries: { readonly client: Library; readonly agent: Library },
): Promise<void> {
  const { transcript, exits } = await recordScript(profile, libraries);
  expect(exits).toEqual([
    { code: 0, errors: "" },
    { code: 0, errors: "" },
  ]);
  const oracle = await messageOracle(profile);
  expect(checkTranscript(transcript, oracle).violations).toEqual([]);
  const entries = transcript.map(({ from, line }) => ({ from, message: JSON.parse(line) }));
  const findings = checkConformance(entries, { methods: oracle.methods });
  expect(findings.filter(({ level }) => level === "error")).toEqual([]);
}
