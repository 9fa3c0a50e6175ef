import type { Definition } from "../../../model/protocol.js";
import type { Shape } from "../../../model/shape.js";

/** What no check reads. */
const TEXTS: ReadonlySet<string> = new Set([
  ...["description", "title", "deprecated", "feature"],
  ...["gate", "variantGates", "state"],
]);

/**
 * Returns, for each definition, the first one that accepts, repairs and explains exactly the same
 * values, so that one check serves all of them.
 */
export function equalChecks(definitions: readonly Definition[]): ReadonlyMap<string, string> {
  let firsts = new Map(definitions.map(({ name }) => [name, name]));
  for (;;) {
    const known = new Map<string, string>();
    const next = new Map(
      definitions.map(({ name, shape }) => {
        const text = textOf(shape, firsts);
        if (!known.has(text)) known.set(text, name);
        return [name, known.get(text)!];
      }),
    );
    // Definitions that refer to equal ones may be equal, too.
    if ([...next].every(([name, first]) => firsts.get(name) === first)) return next;
    firsts = next;
  }
}

function textOf(shape: Shape, firsts: ReadonlyMap<string, string>): string {
  return JSON.stringify(shape, (key, value: unknown) => {
    if (TEXTS.has(key)) return undefined;
    const { kind, name } = Object(value) as { readonly kind?: string; readonly name?: string };
    return kind === "reference" ? { kind, name: firsts.get(name!) } : value;
  });
}
