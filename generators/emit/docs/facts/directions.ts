import type { Side } from "../../../schema/source/sources.js";

/** Who sends what a side handles. */
export const SENDERS: { readonly [side in Side]: { readonly from: string; readonly to: string } } =
  {
    agent: { from: "client", to: "agent" },
    client: { from: "agent", to: "client" },
    protocol: { from: "either side", to: "the other" },
    proxy: { from: "conductor", to: "proxy" },
  };
