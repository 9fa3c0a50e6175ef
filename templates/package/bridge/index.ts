export type { Converted } from "../runtime/bridge/convert/converters.js";
export type { Loss } from "../runtime/bridge/convert/run.js";
export type { LossKind } from "../runtime/bridge/convert/table.js";
export * from "./converters.js";
