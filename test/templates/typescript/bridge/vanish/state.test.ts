import { expect, test } from "vitest";
import type { Json } from "../../../../../generators/schema/json-schema/json.js";
import { answer, prompt, S, send, state, update, vanished, type Play } from "./watch.js";

const MODES = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
const OPTION = {
  type: "select",
  id: "m",
  name: "Mode",
  category: "mode",
  currentValue: "ask",
  options: [{ value: "ask", name: "Ask" }],
};
const NEW = send("client", { id: "n", method: "session/new", params: { cwd: "/" } });
const SET = send("client", {
  id: "r",
  method: "session/set_config_option",
  params: { sessionId: S, configId: "mode", type: "id", value: "ask" },
});
const IDLE = { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" };
const answered = (value: Json): Play => answer("agent", value);
const said = (value: Json): Play => update(value as object);

/** The version of the client, messages, one with a value, the value, and messages after it. */
type Case = readonly [string, 1 | 2, readonly Play[], (value: Json) => Play, object, ...Play[]];

/** What depends on more of a conversation than a turn. */
test.each<Case>([
  [
    "the option of modes is confirmed",
    2,
    [NEW, answered({ sessionId: S, modes: MODES }), SET],
    answered,
    {},
  ],
  [
    "modes are offered beside their option",
    2,
    [NEW],
    answered,
    { sessionId: S, modes: MODES, configOptions: [OPTION] },
  ],
  [
    "a turn ends before its confirmation",
    1,
    [prompt, state("running")],
    said,
    IDLE,
    answered({ messageId: "m" }),
  ],
])("nothing vanishes when %s", (_, version, before, make, value, ...after) => {
  expect(vanished(version, before, make, after, value as Json)).toEqual([]);
});
