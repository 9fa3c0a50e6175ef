import { isRecord } from "../../rpc/messages.js";
import type { Computation } from "./computation.js";
import { hasOtherProperties } from "./other-properties.js";
import { diffToPatch, patchToDiff } from "./diffs.js";
import { permissionToV1, permissionToV2 } from "./permissions.js";
import { planToUpdate } from "./plans.js";
import { REJECTED } from "./run.js";

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
    if (variables.some((variable) => hasOtherProperties(variable, ["name", "value"])))
      lose("metadata");
    return map;
  },
  "patch-to-diff": patchToDiff,
  "permission-to-v1": permissionToV1,
  "permission-to-v2": permissionToV2,
  "plan-to-update": planToUpdate,
  "request-id": (value, { lose }) => {
    if (value !== null) return value;
    lose("null");
    return REJECTED;
  },
};

function isText(value: unknown): boolean {
  return typeof value === "string";
}
