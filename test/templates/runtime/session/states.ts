import { STATE_TABLE as TABLE_V1 } from "../../../../out/typescript/src/v1-full/internal/state-table.js";
import { STATE_TABLE as TABLE_V2 } from "../../../../out/typescript/src/v2-full/internal/state-table.js";
import {
  SessionsV1,
  SessionsV2,
  SessionStateV1,
  SessionStateV2,
  type AnyUpdate,
} from "../../../../templates/runtime/session/index.js";

export type Update = AnyUpdate & { readonly [property: string]: unknown };

/** Creates the state of a session with all updates of version 1. */
export const createV1 = () => new SessionStateV1<Update>(TABLE_V1);
/** Creates the state of a session with all updates of version 2. */
export const createV2 = () => new SessionStateV2<Update>(TABLE_V2);
export const createSessionsV1 = () => new SessionsV1<Update>(TABLE_V1);
export const createSessionsV2 = () => new SessionsV2<Update>(TABLE_V2);
