import { ajv } from "./emit/ajv.js";
import { decoders } from "./emit/decoders/decoders.js";
import { dispatch } from "./emit/dispatch/dispatch.js";
import { docs } from "./emit/docs/docs.js";
import type { Emitter } from "./emit/emitter.js";
import { encoders } from "./emit/encoders.js";
import { mocks } from "./emit/mocks.js";
import { naming } from "./emit/naming.js";
import { packageTarget } from "./emit/package.js";
import { schema } from "./emit/schema.js";
import { types } from "./emit/types/types.js";
import { validators } from "./emit/validators.js";

/** Every target, in the order in which they are listed to people. */
export const TARGETS: readonly Emitter[] = [
  schema,
  types,
  validators,
  decoders,
  encoders,
  naming,
  dispatch,
  mocks,
  packageTarget,
  ajv,
  docs,
];

/** Whether a target of that name comes with the tool. */
export function isBuiltIn(name: string): boolean {
  return TARGETS.some((target) => target.name === name);
}
