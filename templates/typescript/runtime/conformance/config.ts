import { at, list, show } from "./select.js";

/** Returns the id of a configuration option, whose property depends on the version. */
export function optionId(option: unknown): unknown {
  return at(option, "configId") ?? at(option, "id");
}

export function isSelect(option: unknown): boolean {
  return at(option, "type") === "select";
}

export function isBoolean(option: unknown): boolean {
  return at(option, "type") === "boolean";
}

/** Returns the values that an option offers, including those of its groups. */
export function valuesOf(option: unknown): unknown[] {
  return list(at(option, "options")).flatMap((entry) => {
    const group = at(entry, "options");
    return (Array.isArray(group) ? group : [entry]).map((value) => at(value, "value"));
  });
}

/**
 * Explains why a session cannot set the option in the params; undefined when it can, or when its
 * options are unknown.
 */
export function findInvalidOption(
  options: readonly unknown[] | undefined,
  params: unknown,
): { readonly message: string; readonly path: string } | undefined {
  if (options === undefined) return undefined;
  const id = at(params, "configId");
  const value = at(params, "value");
  const option = options.find((one) => optionId(one) === id);
  if (option === undefined)
    return { message: `the session has no option ${show(id)}`, path: "/params/configId" };
  const path = "/params/value";
  if (isBoolean(option) && typeof value !== "boolean")
    return { message: `the option is true or false, not ${show(value)}`, path };
  if (!isSelect(option) || valuesOf(option).includes(value)) return undefined;
  return { message: `the option does not offer ${show(value)}`, path };
}
