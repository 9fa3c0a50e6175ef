import type { MethodSide } from "../schema/source/sources.js";
import type { Definition, Method } from "./protocol.js";
import { reachable } from "./visit-shape.js";

/**
 * Returns the names of the definitions that messages in both directions can contain: of what the
 * agent receives and of what the client receives. Their values are relayed, so a received one must
 * be assignable to a sent one.
 */
export function relayedNames(
  definitions: readonly Definition[],
  methods: readonly Method[],
): ReadonlySet<string> {
  const shapes = new Map(definitions.map(({ name, shape }) => [name, shape]));
  const receivedBy = (side: MethodSide, other: MethodSide): ReadonlySet<string> => {
    const params = methods.filter((method) => [side, "protocol"].includes(method.side));
    const results = methods.filter((method) => [other, "protocol"].includes(method.side));
    const roots = [...params.map((method) => method.params), ...results.flatMap(resultOf)];
    return reachable(roots, (name) => shapes.get(name)!);
  };
  const byClient = receivedBy("client", "agent");
  return new Set([...receivedBy("agent", "client")].filter((name) => byClient.has(name)));
}

function resultOf({ result }: Method): readonly string[] {
  return result === undefined ? [] : [result];
}
