import type { TranscriptEntry } from "../../../typescript/runtime/conformance/index.js";
import type { RuleDoc } from "../rule-doc.js";
import { agent, client, greet, inBoth, start } from "../transcript-builder.js";

const hello = (version: number) => ({
  protocolVersion: version,
  ...(version === 2 && { info: { name: "editor", version: "1.0.0" } }),
});
const asked = (version: number) => client.ask(0, "proxy/initialize", hello(version));
const initialized = (version: number, answered = version) =>
  agent.result(0, { ...hello(version), protocolVersion: answered });
/** A proxy that asks its successor before it answers. */
const relayed = (version: number, answered = version): TranscriptEntry[] => [
  asked(version),
  agent.ask(0, "proxy/successor", { method: "initialize", params: hello(version) }),
  client.result(0, hello(version)),
  initialized(version, answered),
];
const forward = agent.notify("proxy/successor", {
  method: "session/cancel",
  params: { sessionId: "s" },
});

/** Rules of proxies. */
export const PROXY: readonly RuleDoc[] = [
  {
    rule: "one-way-to-initialize",
    title: "A component is initialized as a proxy or as an agent, never as both",
    rationale: "The method that initializes a component determines whether it has a successor.",
    features: ["proxy_chains"],
    examples: [
      ...inBoth((version) => ({
        valid: relayed(version),
        invalid: [asked(version), initialized(version), ...greet(version)],
        line: 3,
      })),
      { valid: start(1), invalid: [...start(1), asked(1), initialized(1)], line: 5 },
    ],
  },
  {
    rule: "proxy-keeps-version",
    title: "A proxy answers with the version of its successor",
    rationale:
      "A proxy forwards the messages of both sides, so it cannot agree to a version that its successor does not support.",
    features: ["proxy_chains"],
    examples: inBoth((version) => ({
      valid: relayed(version),
      invalid: relayed(version, 3 - version),
      line: 4,
    })),
  },
  {
    rule: "successor-of-proxy",
    title: "Only proxies have a successor",
    rationale:
      "A component that received `initialize` is the last of the chain, so there is no successor to forward to.",
    features: ["proxy_chains"],
    examples: inBoth((version) => ({
      valid: [...relayed(version), forward],
      invalid: [...start(version), forward],
      line: 5,
    })),
  },
];
