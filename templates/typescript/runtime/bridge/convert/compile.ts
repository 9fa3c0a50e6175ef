import { isRecord } from "../../rpc/messages.js";
import { codePointLength } from "../../validate/fast-checks.js";
import { COMPUTATIONS } from "./computations.js";
import { compileFields } from "./fields.js";
import { fits, hasFitting } from "./forms.js";
import { REJECTED, type Convert } from "./run.js";
import type {
  ConversionTable,
  FirstRule,
  ForeignRule,
  LimitRule,
  ValueReplacement,
  ConversionRule,
  TaggedRule,
  ValuesRule,
  VariantRule,
} from "./table.js";

/** Finds the conversion of a pair of definitions; undefined when every value is kept. */
export type Rows = (pair: string) => Convert | undefined;

/**
 * Makes the conversions of a table, each when it is first needed. A value of a type that the
 * protocol does not allow is kept as it is, for the receiver to check.
 */
export function compileTable({ rows }: ConversionTable): Rows {
  const made = new Map<string, Convert>();
  const find: Rows = (pair) => {
    const known = made.get(pair);
    if (known !== undefined || !Object.hasOwn(rows, pair)) return known;
    const convert = compile(rows[pair]!, find);
    made.set(pair, convert);
    return convert;
  };
  return find;
}

function compile(rule: ConversionRule, rows: Rows): Convert {
  if ("row" in rule) {
    let convert: Convert | undefined;
    // Found when it is first used, since a definition may contain itself.
    return (value, run) => (convert ??= rows(rule.row)!)(value, run);
  }
  if ("list" in rule) return compileList(compile(rule.list, rows));
  if ("map" in rule) return compileMap(compile(rule.map, rows));
  if ("fields" in rule) return compileFields(rule, (inner) => compile(inner, rows));
  if ("tag" in rule) return compileTagged(rule, rows);
  if ("values" in rule) return compileValues(rule);
  if ("first" in rule) return compileFirst(rule, rows);
  if ("wrap" in rule) {
    const { tag, value: name } = rule.wrap;
    const inner = compileOptional(rule.rule, rows);
    return (value, run) => {
      const converted = inner(value, run);
      return isRecord(converted) ? { [tag]: name, ...converted } : converted;
    };
  }
  if ("marker" in rule) return rule.marker === "object" ? toMarker : toFlag(rule.loss);
  if ("limit" in rule) return compileLimit(rule, rows);
  if ("foreign" in rule) return compileForeign(rule, rows);
  const compute = COMPUTATIONS[rule.compute]!;
  return (value, run) =>
    compute(value, {
      lose: (reason) => run.lose(rule.losses[reason]),
      convert: (pair, inner, ...path) => {
        run.path.push(...path);
        const converted = rows(pair)?.(inner, run) ?? inner;
        run.path.length -= path.length;
        return converted;
      },
    });
}

const keep: Convert = (value) => value;

function compileOptional(rule: ConversionRule | undefined, rows: Rows): Convert {
  return rule === undefined ? keep : compile(rule, rows);
}

/** Items that cannot be said are left out. */
function compileList(convert: Convert): Convert {
  return (value, run) => {
    if (!Array.isArray(value)) return value;
    let result: unknown[] | undefined;
    for (let index = 0; index < value.length; index++) {
      run.path.push(index);
      const item: unknown = value[index];
      const converted = convert(item, run);
      run.path.pop();
      if (converted !== item) result ??= value.slice(0, index);
      if (converted !== REJECTED) result?.push(converted);
    }
    return result ?? value;
  };
}

function compileMap(convert: Convert): Convert {
  return (value, run) => {
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
      run.path.push(key);
      const converted = convert(item, run);
      run.path.pop();
      return [key, converted];
    });
    if (entries.every(([key, item]) => item === value[key])) return value;
    return Object.fromEntries(entries.filter(([, item]) => item !== REJECTED));
  };
}

function compileTagged(rule: TaggedRule, rows: Rows): Convert {
  const variants = new Map(
    Object.entries(rule.variants).map(([value, variant]) => [
      value,
      compileVariant(variant, rule.tag, rows),
    ]),
  );
  const untagged = rule.untagged && compileVariant(rule.untagged, rule.tag, rows);
  const other = rule.other && compileVariant(rule.other, rule.tag, rows);
  const shared = rule.shared ? compile(rule.shared, rows) : keep;
  const { tag: name, forms } = rule;
  const isUntagged = (value: object, tag: string): boolean =>
    forms !== undefined && !fits(value, forms[tag]!) && fits(value, forms["-"]!);
  return (value, run) => {
    if (!isRecord(value)) return value;
    const tag = value[name];
    const named = typeof tag === "string" ? variants.get(tag) : undefined;
    const listed = named && isUntagged(value, tag as string) ? undefined : named;
    const variant = listed ?? untagged ?? (typeof tag === "string" ? other : undefined) ?? keep;
    const converted = variant(value, run);
    return converted === REJECTED ? REJECTED : shared(converted, run);
  };
}

function compileVariant(variant: VariantRule, tag: string, rows: Rows): Convert {
  const { as, rule, reject, set, loss } = variant;
  if (reject === true || set !== undefined)
    return (_, run) => {
      run.lose(loss);
      return reject === true ? REJECTED : structuredClone(set);
    };
  const inner = compileOptional(rule, rows);
  if (as === undefined) return inner;
  return (value, run) => {
    const converted = inner(value, run);
    if (!isRecord(converted)) return converted;
    if (as !== null) return { ...converted, [tag]: as };
    const { [tag]: _, ...rest } = converted;
    return rest;
  };
}

function compileValues({ values, known, other }: ValuesRule): Convert {
  const listed = new Map(Object.entries(values));
  const kept = new Set<unknown>(known);
  const replacementOf = (value: unknown): ValueReplacement | undefined => {
    if (typeof value !== "string" && typeof value !== "number") return undefined;
    return listed.get(String(value)) ?? (kept.has(value) ? undefined : other);
  };
  return (value, run) => {
    const found = replacementOf(value);
    if (found === undefined) return value;
    run.lose(found.loss);
    return "set" in found ? found.set : REJECTED;
  };
}

function compileFirst({ first, shared }: FirstRule, rows: Rows): Convert {
  const alternatives = first.map(({ form, rule }) => ({
    form,
    convert: compileOptional(rule, rows),
  }));
  const convertShared = shared ? compile(shared, rows) : keep;
  return (value, run) => {
    const { convert } =
      alternatives.find(({ form }) => fits(value, form)) ??
      alternatives.find(({ form }) => hasFitting(value, form)) ??
      alternatives[0]!;
    const converted = convert(value, run);
    return converted === REJECTED ? REJECTED : convertShared(converted, run);
  };
}

function compileForeign({ foreign, loss, rule }: ForeignRule, rows: Rows): Convert {
  const inner = compileOptional(rule, rows);
  return (value, run) => {
    if (!isRecord(value)) return value;
    const found = foreign.filter((name) => value[name] !== undefined);
    if (found.length === 0) return inner(value, run);
    const own = { ...value };
    for (const name of found) {
      delete own[name];
      run.path.push(name);
      if (value[name] !== null) run.lose(loss);
      run.path.pop();
    }
    return inner(own, run);
  };
}

/** A capability that is not there is left out, which means the same. */
const toMarker: Convert = (value) => (value === true ? {} : value === false ? REJECTED : value);

function toFlag(loss: number | undefined): Convert {
  return (value, run) => {
    if (!isRecord(value)) return value;
    if (Object.keys(value).length > 0) run.lose(loss);
    return true;
  };
}

function compileLimit(rule: LimitRule, rows: Rows): Convert {
  const { least = 0, most = Infinity, minimum = -Infinity, maximum = Infinity } = rule.limit;
  const isOutsideText = compileTextLimit(rule.limit);
  const inner = compileOptional(rule.rule, rows);
  return (value, run) => {
    const converted = inner(value, run);
    const isOutside = Array.isArray(converted)
      ? converted.length < least || converted.length > most
      : typeof converted === "string"
        ? isOutsideText(converted)
        : typeof converted === "number" && (converted < minimum || converted > maximum);
    if (!isOutside) return converted;
    run.lose(rule.loss);
    if (rule.clamp && typeof converted === "number")
      return Math.min(Math.max(converted, minimum), maximum);
    return "set" in rule ? structuredClone(rule.set) : REJECTED;
  };
}

/** Makes the check for a text that is outside the limits. */
function compileTextLimit(limit: LimitRule["limit"]): (text: string) => boolean {
  const { minLength = 0, maxLength = Infinity, pattern } = limit;
  const allowed = pattern === undefined ? undefined : new RegExp(pattern, "u");
  const hasLength = minLength > 0 || maxLength < Infinity;
  return (text) => {
    const length = hasLength ? codePointLength(text) : 0;
    return length < minLength || length > maxLength || allowed?.test(text) === false;
  };
}
