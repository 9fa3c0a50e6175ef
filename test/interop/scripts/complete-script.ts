import type { Gate } from "../../../generators/model/gate.js";
import type { Method, Protocol } from "../../../generators/model/protocol.js";
import { createSamples } from "../../../generators/model/sample/sample.js";
import {
  isObject,
  type Json,
  type JsonObject,
} from "../../../generators/schema/json-schema/json.js";
import {
  methodOf,
  NESTED,
  otherOf,
  updateOf,
  type Receiver,
  type Script,
  type Step,
} from "./script.js";

/**
 * Adds a step for every method and session update that a script lacks, made from the examples of the
 * schema, and the capabilities that they need: a release may have more than the script. Methods that
 * need a state of a session are left out.
 *
 * @param isLeftOut tells which are in no script for a reason
 */
export function completeScript(
  script: Script,
  protocol: Protocol,
  isLeftOut: (name: string) => boolean = () => false,
): Script {
  const { methods, updates } = usedBy(script, protocol);
  const missing = protocol.methods.filter(
    (method) =>
      !methods.has(method) &&
      method !== protocol.initialize!.method &&
      isOpen(method) &&
      !isLeftOut(method.name),
  );
  // The session that is open in the end.
  const { sessionId } = script.last[0]!.params as { readonly sessionId: string };
  const stepsTo = (receiver: Receiver): readonly Step[] =>
    missing
      .filter(({ side }) => side === receiver)
      .map(({ name, kind, examples: [example] }) => ({
        [kind === "request" ? "request" : "notify"]: name,
        params: inSession(example!.params!, sessionId),
        ...(example!.result !== undefined && { result: example!.result }),
      }));
  const sent = [...createSamples(protocol).variants("SessionUpdate")]
    .filter(([kind]) => !updates.has(kind) && !isLeftOut(kind))
    .map(([, update]): Step => {
      const params = { sessionId, update: betweenKnown(update, sessionId) };
      return { notify: "session/update", params };
    });
  const before = [...stepsTo("client"), ...sent];
  const echo: Step = { request: "_vendor/echo", params: {}, result: {}, before };
  return {
    ...script,
    client: withCapabilities(script.client, "client", { missing, protocol }),
    agent: withCapabilities(script.agent, "agent", { missing, protocol }),
    steps: [...script.steps, ...stepsTo("agent"), ...(before.length > 0 ? [echo] : [])],
  };
}

/** Collects the methods and session updates of a script. */
export function usedBy(script: Script, protocol: Protocol) {
  const methods = new Set<Method>();
  const updates = new Set<string>();
  const collect = (steps: readonly Step[], receiver: Receiver): void => {
    for (const step of steps) {
      const method = methodOf(step, receiver, protocol.methods);
      if (method !== undefined) methods.add(method);
      updates.add(updateOf(step) ?? "");
      if (step.cancel) collect([{ notify: "$/cancel_request", params: {} }], receiver);
      for (const [key, isAnswer] of Object.entries(NESTED))
        collect(step[key as keyof typeof NESTED] ?? [], isAnswer ? otherOf(receiver) : receiver);
    }
  };
  collect([...script.steps, ...script.last], "agent");
  return { methods, updates };
}

/** Checks for a method that capabilities of the connection can open, not only a state of a session. */
export function isOpen({ gate }: Method): boolean {
  return (
    gate === undefined ||
    gate.kind === "always" ||
    (gate.kind === "capability" && gate.side !== "session")
  );
}

function inSession(params: Json, sessionId: string): Json {
  return isObject(params) && "sessionId" in params ? { ...params, sessionId } : params;
}

/** Lets an update name no other session than one: others were not announced. */
function betweenKnown(update: Json, sessionId: string): Json {
  const entries = Object.entries(update as JsonObject);
  const own = entries.map(([name, value]) => [
    name,
    name.endsWith("SessionId") ? sessionId : value,
  ]);
  return Object.fromEntries(own) as JsonObject;
}

/** Adds the capabilities of methods to the message of the side that advertises them. */
function withCapabilities(
  message: JsonObject,
  side: Receiver,
  { missing, protocol }: { readonly missing: readonly Method[]; readonly protocol: Protocol },
): JsonObject {
  const full = createSamples(protocol).full(protocol.initialize![side].definition.name);
  const paths = missing.flatMap(({ gate }) => pathOf(gate, side));
  return paths.reduce((said, path) => withPath(said, path, full), message);
}

function pathOf(gate: Gate | undefined, side: Receiver): readonly (readonly string[])[] {
  return gate?.kind === "capability" && gate.side === side ? [gate.path] : [];
}

/** Returns a message with a value at a path, an empty object where a full message has an object. */
function withPath(message: JsonObject, [name, ...rest]: readonly string[], full: Json): JsonObject {
  const own = message[name!];
  const { [name!]: known = {} } = full as JsonObject;
  if (rest.length === 0) return { ...message, [name!]: own ?? (isObject(known) ? {} : known) };
  return {
    ...message,
    [name!]: withPath(isObject(own ?? null) ? (own as JsonObject) : {}, rest, known),
  };
}
