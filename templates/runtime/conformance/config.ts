import { at, list } from "./select.js";

/** The id of a configuration option; each version has its own name for it. */
export function optionId(option: unknown): unknown {
  return at(option, "configId") ?? at(option, "id");
}

export function isSelect(option: unknown): boolean {
  return at(option, "type") === "select";
}

/** The values that an option offers, those of its groups included. */
export function valuesOf(option: unknown): unknown[] {
  return list(at(option, "options")).flatMap((entry) => {
    const group = at(entry, "options");
    return (Array.isArray(group) ? group : [entry]).map((value) => at(value, "value"));
  });
}
