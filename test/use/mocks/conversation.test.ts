import { checkConformance } from "acp-bindings/conformance";
import { describe, expect, test } from "vitest";
import { converse } from "./conversation.js";
import { PROFILES } from "../samples/profiles.js";

describe.each(PROFILES)("a whole conversation of the mocks of %s", (profile) => {
  test("uses every method, and breaks no rule of behavior", async () => {
    const { transcript, methods, used } = await converse(profile);
    const all = methods
      .filter(({ side }) => side === "agent" || side === "client")
      .map(({ side, name }) => `${side} ${name}`);
    expect([...used].sort()).toEqual([...new Set(all)].sort());
    expect(checkConformance(transcript, { methods })).toEqual([]);
  });
});
