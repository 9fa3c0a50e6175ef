/**
 * Copies plain data as serializing to JSON and parsing would, in about a third of the time.
 *
 * @throws TypeError or RangeError for values that JSON cannot represent: a BigInt, a circular
 *   reference, nesting that is too deep
 */
export function copyAsJson(value: unknown): unknown {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  // JSON has neither -0 nor non-finite numbers.
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== "object" || "toJSON" in value) return throughText(value);
  if (Array.isArray(value))
    return Array.from(value, (item: unknown) => (isOmitted(item) ? null : copyAsJson(item)));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return throughText(value);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const part = (value as Record<string, unknown>)[key];
    if (isOmitted(part)) continue;
    // Assigning this key would set the prototype.
    if (key === "__proto__") return throughText(value);
    copy[key] = copyAsJson(part);
  }
  return copy;
}

function isOmitted(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

function throughText(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
