import type { MethodDescriptor, ProtocolFacts } from "acp-bindings";
import { METHODS, PROTOCOL } from "acp-bindings/v1";
import type { Equal, Expect } from "../equal.js";

// The table is made of literals: types can be computed from it.
type Method = (typeof METHODS)[number];
type NameOf<Side extends Method["side"], Kind extends Method["kind"]> = Extract<
  Method,
  { side: Side; kind: Kind }
>["name"];

export type ClientNotifications = Expect<
  Equal<NameOf<"client", "notification">, "session/update" | "elicitation/complete">
>;
export type PromptResult = Expect<
  Equal<NonNullable<Extract<Method, { name: "session/prompt" }>["result"]>, "PromptResponse">
>;

// It is also a plain list of descriptors.
export const methods: readonly MethodDescriptor[] = METHODS;
export const gated = methods.filter(({ gate }) => gate?.kind === "capability");

export const facts: ProtocolFacts = PROTOCOL;
export type Version = Expect<Equal<(typeof PROTOCOL)["version"], 1>>;
export type Profile = Expect<Equal<(typeof PROTOCOL)["profile"], "v1">>;
