import { isRecord } from "../../rpc/messages.js";
import type { ValueForm } from "./table.js";

/** Checks whether a value has a form. */
export function fits(value: unknown, form: ValueForm): boolean {
  if (form === "any") return true;
  if (form === "integer") return Number.isInteger(value);
  if (typeof form === "string") return typeof value === form;
  if ("nullable" in form) return value === null || fits(value, form.nullable);
  if ("list" in form) return Array.isArray(value) && value.every((item) => fits(item, form.list));
  if (!isRecord(value)) return false;
  if ("map" in form) return Object.values(value).every((item) => fits(item, form.map));
  const { members, required } = form;
  return (
    required.every((name) => value[name] !== undefined) &&
    Object.entries(members).every(
      ([name, member]) => value[name] === undefined || fits(value[name], member),
    )
  );
}

/** Checks whether an item of a list has the form of its items. */
export function hasFitting(value: unknown, form: ValueForm): boolean {
  const isList = typeof form === "object" && "list" in form;
  return isList && Array.isArray(value) && value.some((item) => fits(item, form.list));
}
