import type { Method } from "../../../model/protocol.js";
import { isOf, type FlowSource, type FlowStepSource } from "../../../schema/source/docs-source.js";
import type { Json, JsonObject } from "../../../schema/json-schema/json.js";
import { inMessageOrder } from "./message-order.js";
import type { Site } from "./site.js";

/** One message of a flow, as it is on the wire. */
export interface FlowMessage {
  readonly from: "client" | "agent";
  readonly note: string;
  readonly kind: "request" | "notification" | "result" | "error";
  /** The method that is called or answered; absent when the protocol has no such method. */
  readonly method: Method | undefined;
  readonly name: string;
  readonly message: JsonObject;
}

/** The flows that a profile has: those of its version whose features are on. */
export function flowsOf({ docs, protocol, features }: Site): readonly FlowSource[] {
  return docs.flows.filter(
    (flow) =>
      isOf(flow, protocol.version) && (flow.features ?? []).every((name) => features.has(name)),
  );
}

/** The messages of a flow. */
export function flowMessages(flow: FlowSource, site: Site): readonly FlowMessage[] {
  return flow.steps.map(createFlow(site));
}

/**
 * Makes messages of steps, one after the other. Each side numbers its own requests; a
 * response takes the id of the last request of its method that is still open.
 *
 * @param mode whether a request stays open, so that several answers to it can be shown
 */
export function createFlow(
  site: Site,
  mode: "one-answer" | "answers-repeat" = "one-answer",
): (step: FlowStepSource) => FlowMessage {
  const counts = { client: 0, agent: 0 };
  const open: { readonly name: string; readonly from: string; readonly id: number }[] = [];
  return (step) => {
    const { from, note } = step;
    const name = (step.method ?? step.answers)!;
    const asker = step.method === undefined ? other(from) : from;
    const method = methodSentBy(name, asker, site);
    const whole = (message: JsonObject): JsonObject =>
      inMessageOrder({ jsonrpc: "2.0", ...message }, method, site);
    if (step.method !== undefined) {
      const message = { method: name, params: step.params! };
      if (method?.kind === "notification")
        return { from, note, kind: "notification", method, name, message: whole(message) };
      const id = ++counts[from];
      open.push({ name, from, id });
      return { from, note, kind: "request", method, name, message: whole({ id, ...message }) };
    }
    const index = open.findLastIndex((item) => item.name === name && item.from === asker);
    const id = open[index]?.id ?? 0;
    if (mode === "one-answer") open.splice(index, 1);
    const kind = step.error === undefined ? "result" : "error";
    return { from, note, kind, method, name, message: whole({ id, ...answer(step) }) };
  };
}

/** The method that a side sends, whatever the other side calls the same. */
export function methodSentBy(name: string, from: string, { protocol }: Site): Method | undefined {
  return protocol.methods.find(
    (method) => method.name === name && (method.side === "protocol" || method.side !== from),
  );
}

function answer({ result, error }: FlowStepSource): JsonObject {
  return error === undefined ? { result: result! } : { error: error as unknown as Json };
}

function other(side: "client" | "agent"): "client" | "agent" {
  return side === "client" ? "agent" : "client";
}
