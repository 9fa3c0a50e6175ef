import { isRecord } from "../messages.js";

/** A value found in a message, with its JSON pointer. */
export interface Found {
  readonly value: unknown;
  readonly path: string;
}

/** The own property at the end of a path of names; undefined where there is none. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  let current = value;
  for (const name of names) {
    if (!isRecord(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current;
}

/** The elements of a list; none of what is no list. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether a capability is there: an object, or a switch that is on. */
export function isOn(capability: unknown): boolean {
  return capability === true || isRecord(capability);
}

/** All values that a pattern of names leads to; the name `*` is every element of a list. */
export function* select(value: unknown, pattern: string, path: string): Generator<Found> {
  let found: Found[] = [{ value, path }];
  for (const name of pattern.split("/"))
    found = found.flatMap((one) =>
      name === "*"
        ? list(one.value).map((element, index) => ({
            value: element,
            path: `${one.path}/${index}`,
          }))
        : [{ value: at(one.value, name), path: `${one.path}/${name}` }],
    );
  for (const one of found) if (one.value !== undefined && one.value !== null) yield one;
}

/** The first value of a list that stands in it before. */
export function repeated(values: readonly unknown[]): unknown {
  return values.find((value, index) => value !== undefined && values.indexOf(value) < index);
}

/** A value as a message of a violation shows it, cut to a bearable length. */
export function show(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
