import { STATE_TABLE as V1 } from "../../../../out/typescript/src/v1/internal/state-table.js";
import { STATE_TABLE as V1_FULL } from "../../../../out/typescript/src/v1-full/internal/state-table.js";
import { STATE_TABLE as V2 } from "../../../../out/typescript/src/v2/internal/state-table.js";
import { STATE_TABLE as V2_FULL } from "../../../../out/typescript/src/v2-full/internal/state-table.js";
import {
  SessionsV1,
  SessionsV2,
  SessionStateV1,
  SessionStateV2,
  type AnyUpdate,
} from "../../../../templates/typescript/runtime/session/index.js";

export type Update = AnyUpdate & { readonly [property: string]: unknown };

/** Creates the state of a session with all updates of version 1. */
export const createV1 = () => new SessionStateV1<Update>(V1_FULL);
/** Creates the state of a session with all updates of version 2. */
export const createV2 = () => new SessionStateV2<Update>(V2_FULL);
/** Creates the state of a session with the updates of a profile. */
export const CREATE = {
  v1: () => new SessionStateV1<Update>(V1),
  "v1-full": createV1,
  v2: () => new SessionStateV2<Update>(V2),
  "v2-full": createV2,
};
export const createSessionsV1 = () => new SessionsV1<Update>(V1_FULL);
export const createSessionsV2 = () => new SessionsV2<Update>(V2_FULL);
