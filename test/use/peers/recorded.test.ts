import { describe, expect, it } from "vitest";
import { loadBindings } from "../samples/profiles.js";
import { recordedMessages } from "../samples/recorded-messages.js";

describe.each([
  ["v1", "v1-unstable", ["collaboration_mode", "permissions"]],
  ["v2", "v2-unstable", ["collaboration_mode"]],
] as const)("messages of agents that speak %s", (version, profile, categories) => {
  it("are decoded without a loss, with these notes alone", async () => {
    const { decode } = await loadBindings(profile);
    const messages = recordedMessages().filter((message) => message.version === version);
    expect(messages.length).toBeGreaterThan(50);
    const notes = new Set<string>();
    for (const { agent, def, payload } of messages) {
      const decoded = decode(def, payload);
      if (!decoded.ok) expect.fail(`${agent}, ${def}: ${JSON.stringify(decoded.issues)}`);
      for (const { kind, rule, pointer, reason } of decoded.notes)
        notes.add(`${kind}, ${rule}: ${pointer.replace(/.*\//, "")} ${reason}`);
      // Decoding adds absent defaults, and takes nothing away.
      expect(decoded.value, `${agent}, ${def}`).toMatchObject(payload);
    }
    const unlisted = categories.map((name) => `kept, unknown: category "${name}" is not known`);
    expect([...notes].sort()).toEqual(unlisted);
  });
});
