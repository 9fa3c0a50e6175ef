import { capabilities } from "../../model/gates/capabilities.js";
import type { Protocol } from "../../model/protocol.js";
import { gatePathText } from "../../schema/json-schema/gate-path.js";
import { columns, go, identifier, indent, joinGo, literal, type Go } from "./code.js";
import { exported } from "./names.js";

/** Prints a constant for each capability that a side can advertise: one text, or none without any. */
export function printCapabilities(protocol: Protocol): readonly Go[] {
  const all = capabilities(protocol);
  const groups = (["agent", "client"] as const).flatMap((side) => {
    const property = protocol.initialize?.[side].capabilities;
    const rows = all.flatMap((one): readonly (readonly [Go, Go])[] => {
      if (one.side !== side) return [];
      const below = one.path[0] === property ? one.path.slice(1) : one.path;
      const words = below.map((name) => name.replace(/(?<=.)Capabilities$/, ""));
      const name = exported([side, "capability", ...words].join("_"), "");
      const path = literal(gatePathText(one.path));
      return [[identifier(name), go`acp.Capability = ${path}`]];
    });
    return rows.length === 0
      ? []
      : [go`// The capabilities of ${identifier(side)}s.\nconst (\n${indent(columns(rows))})\n`];
  });
  return groups.length === 0 ? [] : [joinGo(groups, "\n")];
}
