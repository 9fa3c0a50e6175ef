import { ENVELOPE_PARTS } from "../../compose/envelopes.js";
import { referencedName } from "../../json-schema/references.js";
import type { Diagnostic } from "../rule.js";
import { schemaParts, pointerTo, type SourceIndex } from "../source-index.js";

/** Finds definitions that no message refers to, directly or indirectly, even if every feature is on. */
export function* findUnused(index: SourceIndex): Generator<Diagnostic> {
  const next = new Map<string, string[]>();
  for (const { of, schema } of schemaParts(index)) {
    const name = referencedName(schema);
    if (name !== undefined) next.set(of.name, [...(next.get(of.name) ?? []), name]);
  }
  const used = new Set<string>();
  const queue = [...ENVELOPE_PARTS, ...index.methods.flatMap(payloads)];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    queue.push(...(next.get(name) ?? []));
  }
  for (const { file, path, name, isAddition } of index.schemas)
    if (!isAddition && !used.has(name))
      yield {
        file,
        pointer: pointerTo({ path }),
        subject: name,
        message: `no message of ${index.protocol.name} refers to the definition ${name}`,
        hint: "Refer to it, or remove it.",
      };
}

function payloads({ method }: SourceIndex["methods"][0]): string[] {
  return [method.params, ...(method.result === undefined ? [] : [method.result])];
}
