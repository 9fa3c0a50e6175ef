import { describe, expect, test } from "vitest";
import { type JsonObject } from "../../../generators/schema/json-schema/json.js";
import { carried } from "../samples/carried.js";
import { loadBindings, TRIED_PROFILES } from "../samples/profiles.js";
import { reference } from "../values/verdicts.js";
import { converse } from "./conversation.js";

describe.each(TRIED_PROFILES)("the mocks of %s", (profile) => {
  test.each(["SAMPLES", "FULL_SAMPLES"] as const)("send only valid messages: %s", async (table) => {
    const { transcript, methods } = await converse(profile, table);
    const { bundle, schemaOf, encode } = await loadBindings(profile);
    const fits = reference(bundle);
    const messages = carried(transcript, methods);
    for (const { definition, value } of messages) {
      const text = `${definition}: ${JSON.stringify(value)}`;
      expect(schemaOf(definition).is(value), text).toBe(true);
      expect(fits(definition, value), text).toBe(true);
      expect(() => encode(definition, value), text).not.toThrow();
    }
    const seen = new Set(messages.map(({ definition }) => definition));
    const expected = methods
      .filter(({ side }) => side === "agent" || side === "client")
      .flatMap(({ params, result }) => [params, result ?? params]);
    expect(expected.filter((definition) => !seen.has(definition))).toEqual([]);
    const variants = bundle.$defs!["SessionUpdate"]!;
    const tags = (variants.oneOf ?? variants.anyOf)!.flatMap(
      ({ properties }) => properties!["sessionUpdate"]!.const ?? [],
    );
    const updates = messages.flatMap(({ value }) => (value as JsonObject)["update"] ?? []);
    const sent = new Set(updates.map((update) => (update as JsonObject)["sessionUpdate"]));
    expect(tags.filter((tag) => !sent.has(tag))).toEqual([]);
  });
});
