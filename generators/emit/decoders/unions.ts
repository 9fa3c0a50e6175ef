import type { Field, Shape, Slot, TaggedShape, UnionShape } from "../../model/shape.js";
import { code, joinCode, literal, optionalAccess, type Code } from "../../output/code.js";

/** What unions need from the printer of the definition that they stand in. */
export interface CheckPrinter {
  /** An expression that tests the value `v`. */
  test(shape: Shape): Code;
  /** The name of a function that checks a value. */
  check(slot: Slot): Code;
  /** An expression that tests a property of `v`. */
  field(field: Field): Code;
}

/** An expression that tests `v` against a union without a tag. */
export function printUnion(
  { variants, exclusive, shared }: UnionShape,
  printer: CheckPrinter,
): Code {
  const checks = variants.map(({ slot }) => printer.check(slot));
  const slow = code`isAlternative(${joinCode([code`v`, literal(exclusive), ...checks], ", ")})`;
  const fast = exclusive
    ? code`${checks.map((check) => code`Number(${check}(v))`).reduce((sum, one) => code`${sum} + ${one}`)} === 1`
    : checks.map((check) => code`${check}(v)`).reduce((any, one) => code`${any} || ${one}`);
  const alternatives = code`(isWalking() ? ${slow} : ${fast})`;
  return shared.length === 0
    ? alternatives
    : code`${printFields(shared, printer)} && ${alternatives}`;
}

/** Statements that check `v` against a union with a tag, which is looked at once. */
export function printTagged(shape: TaggedShape, printer: CheckPrinter): Code {
  const { tag, variants, fallback, absent, shared } = shape;
  const first =
    shared.length === 0 ? code`` : code`if (!(${printFields(shared, printer)})) return false;\n`;
  const read = tag in {} ? code`own(v, ${literal(tag)})` : code`v${optionalAccess(tag)}`;
  const other = fallback && printer.check(plain(fallback.body));
  const cases = variants.map(({ value, body }) => {
    const test =
      other === undefined
        ? printer.test(body)
        : code`isEither(v, ${printer.check(plain(body))}, ${other})`;
    return code`case ${literal(value)}: return ${test};`;
  });
  const none = absent ?? fallback;
  const nothing =
    none === undefined ? [] : [code`case undefined: case null: return ${printer.test(none.body)};`];
  return code`${first}switch (${read}) {
${joinCode([...cases, ...nothing], "\n")}
default: return ${printDefault(shape, printer)};
}`;
}

/** What becomes of a tag that is not listed. */
function printDefault(
  { variants, open, fallback, absent, tagField }: TaggedShape,
  printer: CheckPrinter,
): Code {
  const malformed =
    absent !== undefined && tagField?.decode.defaultOnError
      ? code`isUntagged(v, ${printer.check(plain(absent.body))}) || `
      : code``;
  if (open !== undefined) {
    const checks = [open, ...(fallback ? [fallback] : [])].map(({ body }) =>
      printer.check(plain(body)),
    );
    return code`${malformed}isCustom(${joinCode([code`v`, ...checks], ", ")})`;
  }
  if (fallback !== undefined) return code`${malformed}${printer.test(fallback.body)}`;
  return code`${malformed}isUnlisted(v, ${literal(variants.map(({ value }) => value))})`;
}

function printFields(fields: readonly Field[], printer: CheckPrinter): Code {
  return fields
    .map((field) => printer.field(field))
    .reduce((all, one) => code`${all} && ${one}`, code`isObject(v)`);
}

function plain(shape: Shape): Slot {
  return { shape, nullable: false };
}
