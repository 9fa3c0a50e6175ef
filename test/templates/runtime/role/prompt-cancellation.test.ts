import { expect, test } from "vitest";
import { METHODS as METHODS_V1 } from "../../../../out/typescript/src/v1/methods.js";
import { METHODS as METHODS_V2 } from "../../../../out/typescript/src/v2/methods.js";
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
  ["session/new", "turn", 1, undefined],
] as const)(
  "%s that a cancellation of the %s ends in version %i has the result %j",
  (name, by, version, result) => {
    const methods = version === 1 ? METHODS_V1 : METHODS_V2;
    const method = methods.find((one) => one.name === name);
    expect(method).toBeDefined();
    expect(cancelledResult(method, by)).toEqual(result);
  },
);
