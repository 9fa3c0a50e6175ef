import { expect, test } from "vitest";
import { stateTable } from "../../../generators/model/session-state.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import type { StateChanges } from "../../../generators/schema/json-schema/json.js";
import { SessionStateV2 } from "../../../templates/typescript/runtime/session/index.js";
import type { Update } from "../../templates/typescript/session/states.js";
import { loadProtocols } from "./parts/profiles.js";

const v2 = loadProtocols().find(({ profile }) => profile === "v2")!;

/** Adds updates to version 2. */
function withUpdates(updates: { readonly [tag: string]: StateChanges }): Protocol {
  const definitions = v2.definitions.map((definition) => {
    const { name, shape } = definition;
    if (name !== "SessionUpdate" || shape.kind !== "tagged") return definition;
    const [{ body }] = shape.variants as [(typeof shape.variants)[0]];
    const added = Object.entries(updates).map(([value, state]) => ({
      ...{ value, state, body, description: "" },
    }));
    return { ...definition, shape: { ...shape, variants: [...shape.variants, ...added] } };
  });
  return { ...v2, definitions };
}

test("an update with `x-state` changes the state without code of its own", () => {
  const table = stateTable(
    withUpdates({
      budget_update: { session: [{ action: "upsert", target: "budget", id: "budgetId" }] },
      budget_removed: { session: [{ action: "remove", target: "budget", id: "budgetId" }] },
      budget_note_chunk: {
        session: [
          { action: "append", target: "budget", id: "budgetId", field: "notes", value: "note" },
        ],
      },
      mood_update: { session: [{ action: "replace", target: "mood", value: "mood" }] },
      weather_update: { session: [{ action: "upsert", target: "weather" }] },
    }),
  );
  const state = new SessionStateV2<Update>(table);
  const mood = { sessionUpdate: "mood_update", mood: "good" };
  const updates: Update[] = [
    { sessionUpdate: "budget_update", budgetId: "a", limit: 5, unit: "EUR", _meta: { x: 1 } },
    { sessionUpdate: "budget_update", budgetId: "a", unit: null, _meta: { y: 1 } },
    { sessionUpdate: "budget_note_chunk", budgetId: "a", note: { type: "text", text: "high" } },
    { sessionUpdate: "budget_update", budgetId: "b" },
    { sessionUpdate: "budget_removed", budgetId: "b" },
    mood,
    { sessionUpdate: "weather_update", sky: "blue" },
    { sessionUpdate: "weather_update", wind: "west" },
  ];
  for (const update of updates) state.apply(update);
  expect(state.others.count).toBe(0);
  expect(state).toMatchObject({ mood, weather: { sky: "blue", wind: "west" } });
  const { budget } = state as unknown as { readonly budget: ReadonlyMap<string, object> };
  expect([...budget]).toEqual([
    [
      "a",
      {
        budgetId: "a",
        limit: 5,
        notes: [{ type: "text", text: "high" }],
        _meta: { x: 1, y: 1 },
        revision: 3,
      },
    ],
  ]);
});

test("each change that another message makes is one that an update can make as well", () => {
  for (const protocol of loadProtocols()) {
    const { messages } = stateTable(protocol);
    const others = Object.values(messages).flatMap((changes) =>
      changes.filter(({ tag }) => tag === undefined).map(({ target }) => target),
    );
    const hasUsage = protocol.features.some(({ name }) => name === "end_turn_token_usage");
    const usage = hasUsage ? ["turnUsage"] : [];
    expect([...new Set(others)]).toEqual(
      protocol.versionNumber === 1 ? ["availableModes", ...usage] : [],
    );
  }
});
