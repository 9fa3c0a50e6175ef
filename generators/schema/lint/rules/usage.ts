import { ENVELOPE_PARTS } from "../../compose/envelopes.js";
import { referencedName } from "../../json-schema/references.js";
import type { Objection } from "../rule.js";
import { partsOf, pointerTo, type Stated } from "../source-index.js";

/** Finds definitions that no message leads to, even if every feature is on. */
export function* findUnused(stated: Stated): Generator<Objection> {
  const next = new Map<string, string[]>();
  for (const { of, schema } of partsOf(stated)) {
    const name = referencedName(schema);
    if (name !== undefined) next.set(of.name, [...(next.get(of.name) ?? []), name]);
  }
  const used = new Set<string>();
  const queue = [...ENVELOPE_PARTS, ...stated.methods.flatMap(payloads)];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    queue.push(...(next.get(name) ?? []));
  }
  for (const { file, path, name, isAddition } of stated.schemas)
    if (!isAddition && !used.has(name))
      yield {
        file,
        pointer: pointerTo({ path }),
        subject: name,
        message: `no message of ${stated.protocol.name} leads to the definition ${name}`,
        hint: "Refer to it, or remove it.",
      };
}

function payloads({ method }: Stated["methods"][0]): string[] {
  return [method.params, ...(method.result === undefined ? [] : [method.result])];
}
