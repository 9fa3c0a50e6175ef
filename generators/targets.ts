import { ajv } from "./emit/ajv.js";
import { behavior } from "./emit/behavior/behavior.js";
import { bridge } from "./emit/bridge/bridge.js";
import { python } from "./emit/python/python.js";
import { roles } from "./emit/roles/roles.js";
import { docs } from "./emit/docs/docs.js";
import { corpus } from "./emit/corpus/corpus.js";
import type { Emitter } from "./emit/emitter.js";
import { mocks } from "./emit/mocks/mocks.js";
import { naming } from "./emit/naming.js";
import { packageTarget } from "./emit/package/package.js";
import { runtime } from "./emit/runtime.js";
import { schema } from "./emit/schema.js";
import { schemas } from "./emit/schemas/schemas.js";
import { types } from "./emit/types/types.js";

/** The built-in targets, in the order of the help text. */
export const TARGETS: readonly Emitter[] = [
  schema,
  types,
  schemas,
  roles,
  mocks,
  bridge,
  packageTarget,
  runtime,
  naming,
  ajv,
  python,
  corpus,
  behavior,
  docs,
];

/** Returns whether a built-in target has this name. */
export function isBuiltIn(name: string): boolean {
  return TARGETS.some((target) => target.name === name);
}
