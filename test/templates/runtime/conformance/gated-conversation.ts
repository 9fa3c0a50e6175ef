import { agent, client } from "../../../../templates/conformance/transcript-builder.js";
import { checkConformance, type TranscriptEntry, type Violation } from "acp-bindings/conformance";
import { OWN_RULES } from "../../../../templates/runtime/conformance/rules/gates.js";
import type {
  CapabilityGate,
  GatedPlace,
  MethodDescriptor,
  MethodGate,
  PlaceStep,
} from "../../../../templates/runtime/methods.js";

/** A method or a place in its messages, and the capability that it needs. */
export interface Gated {
  readonly method: MethodDescriptor;
  readonly gate: CapabilityGate;
  readonly place?: GatedPlace;
}

type Json = Record<string, unknown>;

function isOfCapability(gate: MethodGate | undefined): gate is CapabilityGate {
  return gate?.kind === "capability" && gate.side !== "session";
}

/** Every gate of a table that asks for a capability of one side. */
export function gatesOf(methods: readonly MethodDescriptor[]): Gated[] {
  return methods.flatMap((method) => [
    ...(isOfCapability(method.gate) ? [{ method, gate: method.gate }] : []),
    ...(method.places ?? []).map((place) => ({ method, gate: place.gate, place })),
  ]);
}

/** The findings of the rules of capabilities after the handshake, or in it where there is no more. */
export function violationsOf(
  transcript: readonly TranscriptEntry[],
  methods: readonly MethodDescriptor[],
): Violation[] {
  const rules = new Set(Object.values(OWN_RULES));
  const first = transcript.length > 2 ? 3 : 1;
  return checkConformance(transcript, { methods }).filter(
    ({ rule, line }) => line >= first && (rules.has(rule) || rule.endsWith("-gate")),
  );
}

/** The messages of a side that has every capability but one. */
function advertised(side: string, methods: readonly MethodDescriptor[], without: string): Json {
  const paths = gatesOf(methods).filter(({ gate }) => gate.side === side);
  return paths.reduce<Json>((said, { gate }) => {
    if (`${gate.path.join(".")}.`.startsWith(`${without}.`)) return said;
    const value = { true: true, filled: [{ methodId: "m" }], present: {} }[gate.test];
    return merge(said, nest(gate.path, value)) as Json;
  }, {});
}

function nest(path: readonly PlaceStep[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, step) => {
    if (typeof step === "string") return { [step]: inner };
    if ("each" in step) return step.each === "item" ? [inner] : { any: inner };
    return { ...(inner as Json), [step.tag]: step.not === true ? "_other" : step.values[0] };
  }, value);
}

function merge(one: unknown, other: unknown): unknown {
  if (!isGroup(one) || !isGroup(other)) return isGroup(one) || other === undefined ? one : other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, merge(one[name], other[name])]));
}

function isGroup(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A message that uses a place, or nothing in particular. */
function using(place: GatedPlace | undefined): unknown {
  if (place === undefined) return {};
  const [value] = place.values ?? ["x"];
  return nest(place.path, place.tag === undefined ? value : { [place.tag]: value });
}

/** A conversation in which what is gated is used, by sides with all capabilities, or all but its own. */
export function conversationWith(
  { method, gate, place }: Gated,
  methods: readonly MethodDescriptor[],
  version: number,
  isOpen: boolean,
): TranscriptEntry[] {
  const without = isOpen ? "nothing" : gate.path.join(".");
  const said = (side: string): Json => ({
    ...advertised(side, methods, gate.side === side ? without : "nothing"),
    protocolVersion: version,
  });
  const isGreeting = /(^|\/)initialize$/.test(method.name);
  const greeting = isGreeting ? method.name : "initialize";
  const greet = (result: unknown): TranscriptEntry[] => [
    client.ask(0, greeting, said("client")),
    agent.result(0, result),
  ];
  if (isGreeting) return greet(merge(said("agent"), using(place)));
  const [asker, handler] = method.side === "client" ? [agent, client] : [client, agent];
  const isResult = place?.part === "result";
  const params = isResult ? {} : using(place);
  if (method.kind === "notification")
    return [...greet(said("agent")), asker.notify(method.name, params)];
  const answer = handler.result(1, isResult ? using(place) : {});
  return [...greet(said("agent")), asker.ask(1, method.name, params), answer];
}
