import { isObject, type Json } from "../../schema/json-schema/json.js";

/** A text that is a value or nearly one, and its name among those of one definition. */
export interface NamedInput {
  readonly id: string;
  /** JSON, or text that is not. */
  readonly input: string;
}

/** Values that replace the value in every place, as JSON text, which shows how a number is written. */
const FOREIGN = [
  ..."null true 0 -1 1.5 2.0 9007199254740993 1e400".split(" "),
  ...['""', '"text"', '"_custom"', "[]", "[null]", "{}", '{"a":1}'],
];

/** Values that replace the values of a short sample only, since few codecs differ about them. */
const RARE = [
  ..."false -0 -0.0 1e2 65536 4294967296 18446744073709551616 -1e-7 1e21".split(" "),
  // At the limit of a length in characters, and above it.
  ...[255, 256].map((length) => JSON.stringify("\u{1f3b9}".repeat(length))),
  ...['"\\ud800"', '"\\ud83d\\ude00"', '"\\u0000"', '" text"', "[[]]", '[{"a":[1,2]},"text"]'],
];

/** Depths beyond the limit of a decode, where a value is declared. */
const DEEP = 300;

/** A name that JSON pointers escape and reports shorten. */
const LONG_NAME = `a/b~c ${"é".repeat(80)}`;

/**
 * Returns a sample and its variations, each with one difference.
 *
 * @param isShort whether rare values are tried as well
 * @param excluded properties that some objects must not have; all get them
 */
export function* mutate(
  name: string,
  sample: Json,
  isShort: boolean,
  excluded: readonly string[],
): Generator<NamedInput> {
  yield { id: name, input: JSON.stringify(sample) };
  yield* mutateText(name, JSON.stringify(sample));
  for (const path of placesOf(sample)) {
    const at = `${name}${path.map((key) => `/${key}`).join("")}`;
    for (const foreign of [...FOREIGN, ...(isShort ? RARE : [])])
      yield { id: `${at}=${foreign}`, input: replaced(sample, path, foreign) };
    const value = valueAt(sample, path);
    if (path.length > 0) yield { id: `${at} removed`, input: without(sample, path) };
    if (isObject(value)) yield* mutateObject(at, sample, path, value, isShort ? excluded : []);
    if (Array.isArray(value)) yield* mutateList(at, sample, path, value as readonly Json[]);
    if (typeof value === "string")
      yield { id: `${at} longer`, input: replaced(sample, path, JSON.stringify(`${value}2`)) };
  }
}

/** Estimates the length of all variations of a sample, without rare values. */
export function estimateLength(sample: Json): number {
  return placesOf(sample).length * FOREIGN.length * JSON.stringify(sample).length;
}

/** Returns the text cut short, and with white space. */
function* mutateText(name: string, text: string): Generator<NamedInput> {
  yield { id: `${name} cut`, input: text.slice(0, -1) };
  yield { id: `${name} followed by text`, input: `${text} x` };
  yield { id: `${name} in white space`, input: ` \t\r\n${text}\n ` };
}

function* mutateObject(
  at: string,
  sample: Json,
  path: readonly string[],
  value: { readonly [name: string]: Json },
  excluded: readonly string[],
): Generator<NamedInput> {
  const body = JSON.stringify(value).slice(1, -1);
  const join = (...members: readonly string[]): string =>
    replaced(sample, path, `{${members.filter((member) => member !== "").join(",")}}`);
  yield { id: `${at} with another property`, input: join(body, '"another":[1]') };
  yield { id: `${at} with a long name`, input: join(`${JSON.stringify(LONG_NAME)}:null`, body) };
  yield { id: `${at} with __proto__`, input: join('"__proto__":{"a":1}', body) };
  yield { id: `${at} with _meta`, input: join(body, `"_meta":{"a":${nested(DEEP)}}`) };
  for (const other of excluded.filter((one) => !Object.hasOwn(value, one)))
    for (const foreign of ["1", '"text"', "null"])
      yield { id: `${at} with ${other}=${foreign}`, input: join(body, `"${other}":${foreign}`) };
  const [first] = Object.keys(value);
  if (first === undefined) return;
  const key = JSON.stringify(first);
  yield { id: `${at} with ${key} before`, input: join(`${key}:[7]`, body) };
  yield { id: `${at} with ${key} again`, input: join(body, `${key}:7`) };
  yield { id: `${at} deep`, input: join(body, `${key}:${nested(DEEP)}`) };
  const reversed = Object.fromEntries(Object.entries(value).reverse());
  yield { id: `${at} reversed`, input: replaced(sample, path, JSON.stringify(reversed)) };
}

function* mutateList(
  at: string,
  sample: Json,
  path: readonly string[],
  value: readonly Json[],
): Generator<NamedInput> {
  for (const foreign of ["null", "7", '"text"', "{}", nested(DEEP)]) {
    const texts = [foreign, ...value.map((item) => JSON.stringify(item)), foreign];
    const name = foreign.length > 9 ? "depth" : foreign;
    yield { id: `${at} around ${name}`, input: replaced(sample, path, `[${texts.join(",")}]`) };
  }
}

function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

/** Returns the paths of a value and of all values in it. */
function placesOf(value: Json): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [[]];
  const inner = Object.entries(value) as readonly (readonly [string, Json])[];
  return [[], ...inner.flatMap(([key, part]) => placesOf(part).map((path) => [key, ...path]))];
}

function valueAt(value: Json, path: readonly string[]): Json {
  return path.reduce((holder, key) => (holder as { readonly [key: string]: Json })[key]!, value);
}

/** Stands for the text of a value while a sample is printed. */
const PLACE = "\uE000";

/** Prints a value with another text for the value at a path. */
function replaced(value: Json, path: readonly string[], text: string): string {
  return JSON.stringify(changed(value, path, PLACE)).replace(`"${PLACE}"`, () => text);
}

function without(value: Json, path: readonly string[]): string {
  return JSON.stringify(changed(value, path, undefined));
}

/** Returns a copy with another value at a path; undefined removes it. */
function changed(value: Json, [key, ...rest]: readonly string[], to: Json | undefined): Json {
  if (key === undefined) return to!;
  const holder = value as { readonly [key: string]: Json };
  const part = rest.length === 0 ? to : changed(holder[key]!, rest, to);
  if (!Array.isArray(value)) return { ...holder, [key]: part! };
  const items = [...(value as readonly Json[])];
  items.splice(Number(key), 1, ...(part === undefined ? [] : [part]));
  return items;
}
