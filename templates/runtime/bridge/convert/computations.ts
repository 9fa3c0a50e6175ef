import { isRecord } from "../../rpc/messages.js";
import type { Computation } from "./computation.js";
import { diffToPatch, patchToDiff } from "./diffs.js";
import { permissionToV1, permissionToV2 } from "./permissions.js";
import { REJECTED } from "./run.js";

/** The id of the plan that version 1 has, by the rule of the migration guide. */
export const MAIN_PLAN = "main";

/** The computations that the mapping names. */
export const COMPUTATIONS: { readonly [name: string]: Computation } = {
  "content-value": (value, { lose }) => {
    if (!isRecord(value) && value !== null && !(Array.isArray(value) && !value.every(isText)))
      return value;
    lose("other");
    return REJECTED;
  },
  "diff-to-patch": diffToPatch,
  "environment-list": (value) =>
    isRecord(value) ? Object.entries(value).map(([name, text]) => ({ name, value: text })) : value,
  "environment-map": (value, { lose }) => {
    if (!Array.isArray(value)) return value;
    const variables = value.filter(isRecord);
    const entries = variables.map(({ name, value: text }) => [name, text] as const);
    const map = Object.fromEntries(entries) as Record<string, unknown>;
    if (Object.keys(map).length < entries.length) lose("repeated");
    if (variables.some((variable) => isRecord(variable["_meta"]))) lose("metadata");
    return map;
  },
  "patch-to-diff": patchToDiff,
  "permission-to-v1": permissionToV1,
  "permission-to-v2": permissionToV2,
  "plan-from-update": (value, { lose, convert }) => {
    if (!isRecord(value) || !isRecord(value["plan"])) return value;
    const { plan, ...rest } = value;
    const { type, planId, entries, _meta } = plan as Readonly<Record<string, unknown>>;
    if (type !== "items" || !Array.isArray(entries)) {
      lose("other-kind");
      return REJECTED;
    }
    if (planId !== MAIN_PLAN) lose("other-plan");
    const own = entries.map((entry, index) =>
      convert("PlanEntry", entry, "plan", "entries", String(index)),
    );
    return {
      ...rest,
      ...(isRecord(_meta) && { _meta: { ..._meta, ...(rest["_meta"] as object) } }),
      entries: own,
    };
  },
  "plan-to-update": (value) => {
    if (!isRecord(value)) return value;
    const { entries, ...rest } = value;
    return { ...rest, plan: { type: "items", planId: MAIN_PLAN, entries } };
  },
  "request-id": (value, { lose }) => {
    if (value !== null) return value;
    lose("null");
    return REJECTED;
  },
};

function isText(value: unknown): boolean {
  return typeof value === "string";
}
