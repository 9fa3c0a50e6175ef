import { ajv } from "./emit/typescript/ajv.js";
import { behavior } from "./emit/behavior/behavior.js";
import { bridge } from "./emit/typescript/bridge/bridge.js";
import { python } from "./emit/python/python.js";
import { roles } from "./emit/typescript/roles/roles.js";
import { go } from "./emit/go/go.js";
import { docs } from "./emit/site/docs.js";
import { corpus } from "./emit/corpus/corpus.js";
import type { Target } from "./emit/emitter.js";
import { methods } from "./emit/typescript/methods.js";
import { mocks } from "./emit/typescript/mocks/mocks.js";
import { naming } from "./emit/typescript/naming.js";
import { packageTarget } from "./emit/typescript/package/package.js";
import { runtime } from "./emit/typescript/runtime.js";
import { schema } from "./emit/schema.js";
import { schemas } from "./emit/typescript/schemas/schemas.js";
import { types } from "./emit/typescript/types/types.js";

/** The built-in targets, in the order of the help text. Those that name the input `files` run last, in this order. */
export const TARGETS: readonly Target[] = [
  schema,
  types,
  schemas,
  methods,
  roles,
  mocks,
  bridge,
  packageTarget,
  runtime,
  naming,
  ajv,
  python,
  go,
  corpus,
  behavior,
  docs,
];

/** Returns whether a built-in target has this name. */
export function isBuiltIn(name: string): boolean {
  return TARGETS.some((target) => target.name === name);
}
