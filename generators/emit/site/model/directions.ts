import type { MethodSide } from "../../../schema/source/sources.js";

/** Sender and receiver of the messages that a side handles. */
export const DIRECTIONS: {
  readonly [side in MethodSide]: { readonly from: string; readonly to: string };
} = {
  agent: { from: "client", to: "agent" },
  client: { from: "agent", to: "client" },
  protocol: { from: "either side", to: "the other" },
  proxy: { from: "conductor", to: "proxy" },
};
