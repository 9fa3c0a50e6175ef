import { INITIALIZING } from "../conversation.js";
import { BOTH, onResult, onSent, type Rule } from "./rule.js";
import { at, show } from "../select.js";

/** Rules of proxies, which stand between a client and an agent. */
export const PROXY_RULES: readonly Rule[] = [
  {
    id: "one-way-to-initialize",
    source: "proposal for proxy chains; description of InitializeProxyRequest",
    level: "error",
    versions: BOTH,
    check: onSent(INITIALIZING, function* ({ from, kind, method }, { handshake }) {
      if (from !== "client" || kind !== "request" || handshake.method === undefined) return;
      if (handshake.method !== method)
        yield {
          message: `${handshake.method} succeeded, but this is ${method}`,
          path: "/method",
        };
    }),
  },
  {
    id: "proxy-keeps-version",
    source: "description of InitializeProxyResponse",
    level: "error",
    versions: BOTH,
    check: onResult(["proxy/initialize"], function* ({ result }, { successorVersion }) {
      const reported = at(result, "protocolVersion");
      if (successorVersion !== undefined && reported !== successorVersion)
        yield {
          message: `the successor agreed to version ${show(successorVersion)}, but the proxy reports ${show(reported)}`,
          path: "/result/protocolVersion",
        };
    }),
  },
  {
    id: "successor-of-proxy",
    source: "proposal for proxy chains; descriptions of the proxy methods",
    level: "error",
    versions: BOTH,
    check: onSent(["proxy/successor"], function* (_, conversation) {
      const isProxy = conversation.handshake.method === "proxy/initialize";
      if (!isProxy && !conversation.isAsking(["proxy/initialize"]))
        yield {
          message: "only a proxy has a successor, and this component is not a proxy",
          path: "/method",
        };
    }),
  },
];
