import type { Method } from "../../../generators/model/protocol.js";
import type { Json, JsonObject } from "../../../generators/schema/json-schema/json.js";

/** A step of a conversation; see `steps.mjs`. */
export interface Step {
  readonly request?: string;
  readonly notify?: string;
  readonly params: Json;
  readonly result?: Json;
  readonly error?: number;
  readonly cancel?: boolean;
  readonly before?: readonly Step[];
  readonly meanwhile?: readonly Step[];
  readonly after?: readonly Step[];
}

/** A conversation; see `steps.mjs`. */
export interface Script {
  readonly version: number;
  /** The initialize message of each side. */
  readonly client: JsonObject;
  readonly agent: JsonObject;
  readonly steps: readonly Step[];
  /** The end of the conversation, which begins with the close of a session. */
  readonly last: readonly Step[];
}

/** The side that receives a step. */
export type Receiver = "agent" | "client";

/** The steps inside a step, and whether its receiver sends them. */
export const NESTED = { before: true, meanwhile: false, after: true } as const;

export function otherOf(side: Receiver): Receiver {
  return side === "agent" ? "client" : "agent";
}

/** Finds the method of a step among those of a protocol. */
export function methodOf(
  { request, notify }: Step,
  receiver: Receiver,
  methods: readonly Method[],
): Method | undefined {
  return methods.find(
    ({ name, kind, side }) =>
      name === (kind === "request" ? request : notify) &&
      (side === receiver || side === "protocol"),
  );
}

/** Returns the kind of a session update; undefined for any other step. */
export function updateOf({ notify, params }: Step): string | undefined {
  if (notify !== "session/update") return undefined;
  return ((params as JsonObject)["update"] as JsonObject)["sessionUpdate"] as string;
}
