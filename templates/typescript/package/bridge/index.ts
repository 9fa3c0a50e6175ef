import { bridgeStreams, type BridgeOptions } from "../runtime/bridge/bridge.js";
import { STATE_LOSSES, TO_V1, TO_V2 } from "./tables.js";

export type { BridgeOptions } from "../runtime/bridge/bridge.js";
export type { Converted } from "../runtime/bridge/convert/converters.js";
export type { Loss } from "../runtime/bridge/convert/run.js";
export type { LossKind } from "../runtime/bridge/convert/table.js";
export type { BridgeLoss } from "../runtime/bridge/losses.js";
export * from "./converters.js";

/**
 * Connects a client and an agent of different versions of the protocol, until one of them closes.
 * When both speak the same version, every message passes as it is.
 *
 * @returns resolves when both channels are closed; rejects when one fails
 */
export function bridge(options: BridgeOptions): Promise<void> {
  return bridgeStreams(options, { toV1: TO_V1, toV2: TO_V2, states: STATE_LOSSES });
}
