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

/** Messages, one with a value, and messages after it. */
interface Case {
  readonly when: string;
  /** The version of the client. */
  readonly client: 1 | 2;
  readonly before: readonly Play[];
  readonly make: (value: Json) => Play;
  readonly value: object;
  readonly after?: readonly Play[];
}

/** What depends on more of a conversation than a turn. */
test.each<Case>([
  {
    when: "the option of modes is confirmed",
    client: 2,
    before: [NEW, answered({ sessionId: S, modes: MODES }), SET],
    make: answered,
    value: {},
  },
  {
    when: "modes are offered beside their option",
    client: 2,
    before: [NEW],
    make: answered,
    value: { sessionId: S, modes: MODES, configOptions: [OPTION] },
  },
  {
    when: "a prompt is repeated before its confirmation",
    client: 1,
    before: [prompt],
    make: said,
    value: { sessionUpdate: "user_message", messageId: "m", content: [] },
    after: [answered({ messageId: "m" })],
  },
  {
    when: "a turn ends before its confirmation",
    client: 1,
    before: [prompt, state("running")],
    make: said,
    value: IDLE,
    after: [answered({ messageId: "m" })],
  },
])("nothing vanishes when $when", ({ client, before, make, value, after = [] }) => {
  expect(vanished(client, before, make, after, value as Json)).toEqual([]);
});
