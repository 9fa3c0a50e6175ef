import { expect, test } from "vitest";
import { createCases } from "../../../../generators/emit/corpus/cases.js";
import { loadProtocols } from "../../model/parts/profiles.js";
import { createDigest, readDigests } from "../../../../bin/corpus-digests.js";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import { smallProtocol } from "../../emit/small-protocol.js";
import { IS_DEEP } from "../../../support/deep.js";

const protocols = loadProtocols();
const { profiles: digests } = readDigests();
const SEED = Number(process.env["SEED"] ?? 1);

test.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "the cases of %s and their results have the committed digests (npm run generate)",
  async (profile, protocol) => {
    const digest = await createDigest(protocol);
    const names = protocol.definitions.map(({ name }) => name);
    expect(Object.keys(digests[profile]!)).toEqual(names);
    const changed = names
      .filter((_, index) => IS_DEEP || (index * 7 + SEED) % 16 === 0)
      .filter((name) => digest(name) !== digests[profile]![name]);
    expect(changed).toEqual([]);
  },
  300_000,
);

test("the corpus has more than 130,000 cases", () => {
  const counts = Object.values(digests).flatMap((own) =>
    Object.values(own).map((text) => parseInt(text, 10)),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(130_000);
});

test("cases have distinct names, and the same protocol gives the same ones", () => {
  const [protocol] = protocols;
  const [one, two] = [createCases(protocol!), createCases(protocol!)];
  const names = ["SessionUpdate", "ContentBlock", "RequestId"];
  for (const name of names) {
    const cases = one(name);
    expect(cases).toEqual(two(name));
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  }
});

test("cases change every place of a sample, remove it, and add to it", () => {
  const inputs = new Map(
    createCases(protocols[0]!)("ResourceLink").map(({ id, input }) => [id, JSON.parse(cut(input))]),
  );
  expect(inputs.get("typical/name=0")).toMatchObject({ name: 0 });
  expect(inputs.get("typical/name removed")).not.toHaveProperty("name");
  expect(inputs.get("typical with another property")).toMatchObject({ another: [1] });
});

test("definitions that refer to each other have a bounded corpus, which says that it is cut", () => {
  const indexes = Array.from({ length: 60 }, (_, index) => index);
  const ring = indexes.map((index): [string, JsonSchema] => {
    const next = [1, 2, 3].map((step) => `D${(index + step) % indexes.length}`);
    const properties = Object.fromEntries(next.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    return [`D${index}`, { type: "object", properties }];
  });
  const casesOf = createCases(smallProtocol({ definitions: Object.fromEntries(ring) }));
  // All of them have the same corpus but for their names.
  const tried = ring.slice(0, 6);
  const cases = tried.flatMap(([name]) => casesOf(name));
  const length = cases.reduce((sum, { input }) => sum + input.length, 0);
  expect(length).toBeLessThan(11_000_000);
  expect(cases.filter(({ isCut }) => isCut).map(({ definition }) => definition)).toEqual(
    tried.map(([name]) => name),
  );
});

/** Returns a text that is JSON: other cases are skipped here. */
function cut(input: string): string {
  try {
    JSON.parse(input);
    return input;
  } catch {
    return "null";
  }
}
