import { describe, expect, test } from "vitest";
import type { Protocol } from "../../../generators/model/protocol.js";
import type { JsonObject } from "../../../generators/schema/json-schema/json.js";
import { loadProtocols } from "../../generators/model/parts/profiles.js";
import { completeScript } from "./complete-script.js";
import { fitScript } from "./fit-script.js";
import type { Script, Step } from "./script.js";

const protocols = new Map(loadProtocols().map((protocol) => [protocol.profile, protocol]));
const v1 = protocols.get("v1")!;
const v2 = protocols.get("v2")!;
const session = { sessionId: "s" };

function updated(update: JsonObject): Step {
  return { notify: "session/update", params: { ...session, update } };
}

function scriptWith(...steps: readonly Step[]): Script {
  const close = { request: "session/close", params: session, result: {} };
  return { version: 2, client: {}, agent: {}, steps, last: [close] };
}

/** A release without a method. */
function without(name: string, protocol: Protocol): Protocol {
  return { ...protocol, methods: protocol.methods.filter((method) => method.name !== name) };
}

describe("a script that a release plays", () => {
  test("leaves out the methods, updates and properties that the release does not have", () => {
    const list = { request: "session/list", params: {}, result: { sessions: [] } };
    const unknown = updated({ sessionUpdate: "no_such_update" });
    const own = updated({ sessionUpdate: "_own", any: "thing" });
    const info = { sessionUpdate: "session_info_update", title: "T" };
    const script = scriptWith(
      { ...list, after: [unknown, own, updated({ ...info, noSuch: "x", _meta: { a: "b" } })] },
      { request: "no/such", params: {}, result: {}, after: [updated(info)] },
    );
    expect(fitScript(script, v2)).toEqual({
      script: scriptWith({
        ...list,
        after: [own, updated({ ...info, _meta: { a: "b" } }), updated(info)],
      }),
      left: ["no/such", "noSuch", "no_such_update"],
    });
  });

  test("has a step and the capability of every method that it lacks, from its example", () => {
    const { steps, agent, client } = completeScript(scriptWith(), v1);
    expect(steps.find(({ request }) => request === "session/delete")).toMatchObject({
      params: session,
      result: {},
    });
    expect(agent).toMatchObject({ agentCapabilities: { sessionCapabilities: { delete: {} } } });
    const asked = steps.at(-1)!.before!;
    expect(asked.some(({ request }) => request === "fs/read_text_file")).toBe(true);
    expect(client).toMatchObject({ clientCapabilities: { fs: { readTextFile: true } } });
    expect(asked.filter(({ notify }) => notify === "session/update").length).toBeGreaterThan(10);
  });

  test("has no step for what the release does not have either", () => {
    const { steps } = completeScript(scriptWith(), without("session/delete", v1));
    expect(steps.some(({ request }) => request === "session/delete")).toBe(false);
  });
});
