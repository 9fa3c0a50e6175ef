import { fieldsOf } from "../../model/parts/fields-of.js";
import type { RecordPart } from "../../model/parts/part.js";
import type { Initialize } from "../../model/protocol.js";
import { gatePathText } from "../../schema/json-schema/gate-path.js";
import { columns, go, identifier, indent, joinGo, literal, type Go } from "./code.js";
import { recordOf, type GoContext } from "./context.js";
import { exported } from "./names.js";

/** Prints a constant for each capability that a side can advertise: one text, or none without any. */
export function printCapabilities(context: GoContext, initialize: Initialize): readonly Go[] {
  const groups = (["agent", "client"] as const).flatMap((side) => {
    const rows = capabilitiesOf(side, initialize, context);
    return rows.length === 0
      ? []
      : [go`// The capabilities of ${identifier(side)}s.\nconst (\n${indent(columns(rows))})\n`];
  });
  return groups.length === 0 ? [] : [joinGo(groups, "\n")];
}

function capabilitiesOf(
  side: "agent" | "client",
  initialize: Initialize,
  context: GoContext,
): readonly (readonly [Go, Go])[] {
  const { definition, capabilities } = initialize[side];
  const message = context.parts.get(definition.name)!;
  if (message.kind !== "record" || capabilities === undefined) return [];
  const field = fieldsOf(message, context.parts).find(({ name }) => name === capabilities);
  const record = field && recordOf(field.shape, context);
  if (record === undefined) return [];
  return pathsIn(record, [capabilities], context).map((path) => {
    const [, ...words] = path.map((name) => name.replace(/(?<=.)Capabilities$/, ""));
    const name = exported([side, "capability", ...words].join("_"), "");
    return [identifier(name), go`acp.Capability = ${literal(gatePathText(path))}`];
  });
}

/** Returns the paths to the flags in an object, and to the objects that are flags themselves, each without a name twice. */
function pathsIn(
  record: RecordPart,
  path: readonly string[],
  context: GoContext,
): readonly (readonly string[])[] {
  const fields = fieldsOf(record, context.parts).filter(({ name }) => !path.includes(name));
  return fields.flatMap((field) => {
    const own = [...path, field.name];
    const inner = recordOf(field.shape, context);
    const isFlag = field.shape.kind === "scalar" && field.shape.type === "boolean";
    const isOptional = inner !== undefined && field.default === undefined;
    const below = inner === undefined ? [] : pathsIn(inner, own, context);
    return [...(isFlag || isOptional ? [own] : []), ...below];
  });
}
