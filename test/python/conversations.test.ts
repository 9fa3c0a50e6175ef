import { checkConformance } from "acp-bindings/conformance";
import { describe, expect } from "vitest";
import { checkTranscript } from "../interop/conformance.js";
import { messageOracle } from "../interop/message-oracle.js";
import { recordScript } from "../interop/transcript.js";
import { IS_DEEP } from "../support/deep.js";
import type { Profile } from "../use/samples/profiles.js";
import { pythonTest } from "./run-python.js";

const PAIRS = [
  ["python", "bindings"],
  ["bindings", "python"],
  ["python", "sdk"],
  ["sdk", "python"],
  ["python", "python"],
] as const;

const PROFILES: readonly Profile[] = ["v1", "v1-unstable", "v1-full", "v2", "v2-unstable"];

describe.each(PROFILES.filter((name) => IS_DEEP || name === "v1-full" || name === "v2"))(
  "a conversation with every method and update of %s",
  (profile) => {
    pythonTest.each(PAIRS)(
      "passes between a client on %s and an agent on %s",
      async (client, agent) => {
        const { transcript, exits } = await recordScript(profile, { client, agent });
        expect(exits).toEqual([
          { code: 0, errors: "" },
          { code: 0, errors: "" },
        ]);
        const oracle = await messageOracle(profile);
        expect(checkTranscript(transcript, oracle).violations).toEqual([]);
        const entries = transcript.map(({ from, line }) => ({ from, message: JSON.parse(line) }));
        const findings = checkConformance(entries, { methods: oracle.methods });
        expect(findings.filter(({ level }) => level === "error")).toEqual([]);
      },
    );
  },
);
