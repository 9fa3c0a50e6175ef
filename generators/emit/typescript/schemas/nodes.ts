import type { FieldNode, TableNode } from "../../../model/check-table.js";
import {
  code,
  identifier,
  joinCode,
  literal,
  propertyKey,
  type Code,
} from "../../../output/code.js";
import type { Find } from "./shape-queries.js";

/** Prints a node of the table of checks; references become the checks of definitions. */
export function printNode(node: TableNode, find: Find): Code {
  const inner = (part: TableNode): Code => printNode(part, find);
  const fields = (all: readonly FieldNode[]): Code =>
    onLines(
      code`[`,
      all.map((field) => printField(field, find)),
      code`]`,
    );
  if (typeof node === "string") return identifier(find(node).identifier);
  switch (node[0]) {
    case "any":
    case "null":
    case "never":
    case "boolean":
    case "string":
    case "integer":
    case "number":
    case "enum":
      return list(node.map((operand) => literal(operand)));
    case "list":
      return list([literal(node[0]), inner(node[1]), literal(node[2]), literal(node[3])]);
    case "map":
    case "nullable":
      return list([literal(node[0]), inner(node[1])]);
    case "object":
      return list([
        ...[literal(node[0]), fields(node[1]), literal(node[2]), literal(node[3] ?? false)],
        list((node[4] ?? []).map(([pattern, one]) => list([literal(pattern), inner(one)]))),
        node[5] == null ? literal(null) : inner(node[5]),
      ]);
    case "tagged": {
      const [kind, tag, variants, [open, fallback, absent, isLenient], shared] = node;
      const bodies = Object.entries(variants).map(
        ([value, body]) => code`${propertyKey(value)}: ${inner(body)}`,
      );
      const others = [open, fallback, absent].map((other) =>
        other === null ? literal(null) : inner(other),
      );
      return list([
        literal(kind),
        literal(tag),
        onLines(code`{`, bodies, code`}`),
        list([...others, literal(isLenient)]),
        fields(shared),
      ]);
    }
    case "union":
      return list([literal(node[0]), literal(node[1]), list(node[2].map(inner)), fields(node[3])]);
    default:
      return node satisfies never;
  }
}

function printField([name, node, flags, ...fallback]: FieldNode, find: Find): Code {
  const parts = [literal(name), printNode(node, find), literal(flags)];
  if (fallback.length === 0) return flags === 0 ? list(parts.slice(0, 2)) : list(parts);
  return code`[${joinCode([...parts, literal(fallback[0])], ", ")}]`;
}

/** Prints several parts on a line each. */
function onLines(open: Code, parts: readonly Code[], close: Code): Code {
  const [only = code``, ...others] = parts;
  if (others.length === 0) return code`${open}${only}${close}`;
  const lines = parts.map((part) => code`${part},`);
  return code`${open}
${joinCode(lines, "\n")}
${close}`;
}

/** Operands that may be absent at the end of a list. */
const ABSENT: ReadonlySet<Code> = new Set([literal(null), literal(false), literal([])]);

function list(operands: readonly Code[]): Code {
  const last = operands.findLastIndex((operand) => !ABSENT.has(operand));
  return code`[${joinCode(operands.slice(0, last + 1), ", ")}]`;
}
