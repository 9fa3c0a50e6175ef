import type { FieldRule, FieldsRule, ConversionRule, TaggedRule, VariantRule } from "./rules.js";

type Rows = ReadonlyMap<string, ConversionRule | undefined>;

/** Removes the rules that keep every value, and references to them. */
export function simplify(rows: Rows): { readonly [pair: string]: ConversionRule } {
  // A pair that refers to itself keeps its values unless something in it does not.
  const changing = new Set<string>();
  for (let before = -1; before < changing.size;) {
    before = changing.size;
    for (const [name, rule] of rows)
      if (rule !== undefined && reduce(rule, changing) !== undefined) changing.add(name);
  }
  const reduced = [...changing]
    .sort()
    .map((name) => [name, reduce(rows.get(name)!, changing)!] as const);
  return Object.fromEntries(reduced);
}

/** Returns what is left of a rule; undefined when it keeps every value. */
function reduce(rule: ConversionRule, changing: ReadonlySet<string>): ConversionRule | undefined {
  if ("row" in rule) return changing.has(rule.row) ? rule : undefined;
  if ("list" in rule) {
    const list = reduce(rule.list, changing);
    return list && { list };
  }
  if ("map" in rule) {
    const map = reduce(rule.map, changing);
    return map && { map };
  }
  if ("fields" in rule) return reduceFields(rule, changing);
  if ("tag" in rule) return reduceTagged(rule, changing);
  if ("first" in rule) {
    const shared = rule.shared && reduce(rule.shared, changing);
    const first = rule.first.map((one) => reduceInner(one, changing));
    const isKept = shared === undefined && first.every((one) => one.rule === undefined);
    return isKept ? undefined : { first, ...(shared && { shared }) };
  }
  if ("wrap" in rule || "limit" in rule || "foreign" in rule) return reduceInner(rule, changing);
  return rule;
}

function reduceInner<T extends { readonly rule?: ConversionRule }>(
  holder: T,
  changing: ReadonlySet<string>,
): T {
  const { rule, ...rest } = holder;
  const inner = rule && reduce(rule, changing);
  return { ...rest, ...(inner && { rule: inner }) } as T;
}

/** A default is converted only where something changes it. */
function reduceField<T extends FieldRule>(field: T, changing: ReadonlySet<string>): T {
  const { absent, ...rest } = reduceInner(field, changing);
  return { ...rest, ...(rest.rule && absent !== undefined && { absent }) } as unknown as T;
}

function reduceFields(rule: FieldsRule, changing: ReadonlySet<string>): FieldsRule | undefined {
  const fields = Object.entries(rule.fields)
    .map(([name, field]) => [name, reduceField(field, changing)] as const)
    .filter(([, field]) => hasEffect(field));
  const nested = rule.nested?.map((field) => reduceField(field, changing));
  if (fields.length === 0 && nested === undefined && rule.fill === undefined) return undefined;
  return { ...rule, fields: Object.fromEntries(fields), ...(nested && { nested }) };
}

function hasEffect({ needed: _, ...rest }: FieldRule): boolean {
  return Object.keys(rest).length > 0;
}

function reduceTagged(rule: TaggedRule, changing: ReadonlySet<string>): TaggedRule | undefined {
  const variants = Object.entries(rule.variants).map(
    ([value, variant]) => [value, reduceInner(variant, changing)] as const,
  );
  const isListed = rule.other !== undefined || rule.untagged !== undefined;
  const kept = variants.filter(([, variant]) => isListed || Object.keys(variant).length > 0);
  const shared = rule.shared && reduce(rule.shared, changing);
  const untagged: VariantRule | undefined = rule.untagged && reduceInner(rule.untagged, changing);
  if (!isListed && kept.length === 0 && shared === undefined) return undefined;
  const { shared: _, untagged: __, ...rest } = rule;
  return {
    ...rest,
    variants: Object.fromEntries(kept),
    ...(untagged && { untagged }),
    ...(shared && { shared }),
  };
}
