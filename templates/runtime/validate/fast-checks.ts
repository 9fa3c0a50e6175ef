/*
 * What the first look is made of besides plain comparisons: true for values that
 * are valid and need neither repair nor completion nor a note.
 */

/** The length of a string in Unicode code points, as JSON Schema counts it. */
export function codePointLength(text: string): number {
  let { length } = text;
  for (let index = 0; index < text.length - 1; index++) {
    const high = text.charCodeAt(index);
    const low = text.charCodeAt(index + 1);
    if (high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff) {
      length--;
      index++;
    }
  }
  return length;
}

/** Whether a value is an object (not an array, not null); no type guard, as it is used on `any`. */
export function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value of an open union or enumeration is of the kind that is left to vendors. */
export function isCustom(value: unknown): boolean {
  return typeof value === "string" && value.startsWith("_");
}

/** Whether a value is an array and every item passes. */
export function isList(value: unknown, check: (item: unknown) => boolean): boolean {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index++) if (!check(value[index])) return false;
  return true;
}

/** Whether a value is an object and every own value passes. */
export function isMap(value: unknown, check: (item: unknown) => boolean): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  for (const key of Object.keys(value))
    if (!check((value as Record<string, unknown>)[key])) return false;
  return true;
}
