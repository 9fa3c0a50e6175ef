import { expect, test } from "vitest";
import { CANCELLED } from "../../../../templates/runtime/session/permission.js";
import { cancelledResult } from "../../../../templates/runtime/role/prompt-cancellation.js";

test.each([
  ["session/prompt", "turn", 1, { result: { stopReason: "cancelled" }, waits: true }],
  ["session/prompt", "request", 1, undefined],
  ["session/prompt", "turn", 2, undefined],
  ["session/request_permission", "turn", 1, { result: CANCELLED, waits: false }],
  ["session/request_permission", "request", 2, { result: CANCELLED, waits: false }],
  ["elicitation/create", "turn", 1, { result: { action: "cancel" }, waits: false }],
  ["elicitation/create", "request", 1, undefined],
  ["session/load", "turn", 1, undefined],
] as const)(
  "%s that a cancellation of the %s ends in version %i has the result %j",
  (method, by, version, result) => {
    expect(cancelledResult(method, by, version)).toEqual(result);
  },
);
