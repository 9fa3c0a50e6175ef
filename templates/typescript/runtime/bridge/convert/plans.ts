import { isRecord } from "../../rpc/messages.js";
import type { Computation } from "./computation.js";
import { hasOtherProperties } from "./other-properties.js";

type Value = Readonly<Record<string, unknown>>;

/** The id of the plan that version 1 has, by the rule of the migration guide. */
export const MAIN_PLAN = "main";

export const planToUpdate: Computation = (value) => {
  if (!isRecord(value)) return value;
  const { entries, ...rest } = value;
  return { ...rest, plan: { type: "items", planId: MAIN_PLAN, entries } };
};

/** Checks whether a plan of version 2 says what that of version 1 cannot. */
export function hasPlanDetails(plan: Value): boolean {
  return hasOtherProperties(plan, ["type", "planId", "entries", "_meta"]);
}

/** Returns the plan of version 1 for an update of version 2, with the metadata of both. */
export function planOf(update: Value, plan: Value, entries: unknown): Value {
  const { plan: _, _meta: outer, ...rest } = update;
  const inner = plan["_meta"];
  const hasMeta = isRecord(outer) || isRecord(inner);
  return {
    ...rest,
    ...(hasMeta && { _meta: { ...(inner as object), ...(outer as object) } }),
    entries,
  };
}
