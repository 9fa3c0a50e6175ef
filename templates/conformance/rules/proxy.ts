import type { TranscriptEntry } from "../../runtime/conformance/index.js";
import type { RuleDoc } from "../rule-doc.js";
import { agent, client, greet, start } from "../talk.js";

const asked = client.ask(0, "proxy/initialize", { protocolVersion: 1 });
const told = (protocolVersion: number) => agent.result(0, { protocolVersion });
/** A proxy that asks its successor before it answers. */
const relayed = (version: number): TranscriptEntry[] => [
  asked,
  agent.ask(0, "proxy/successor", { method: "initialize", params: { protocolVersion: 1 } }),
  client.result(0, { protocolVersion: 1 }),
  told(version),
];
const forward = agent.tell("proxy/successor", {
  method: "session/cancel",
  params: { sessionId: "s" },
});

/** Rules of proxies. */
export const PROXY: readonly RuleDoc[] = [
  {
    rule: "one-way-to-initialize",
    title: "A component is greeted as a proxy or as an agent, never as both",
    rationale: "Which of the two methods comes tells the component whether it has a successor.",
    examples: [
      { valid: relayed(1), invalid: [asked, told(1), ...greet(1)], line: 3 },
      { valid: start(1), invalid: [...start(1), asked, told(1)], line: 5 },
    ],
  },
  {
    rule: "proxy-keeps-version",
    title: "A proxy answers with the version of its successor",
    rationale:
      "It passes on the messages of both sides, so it cannot promise a version that the next one does not speak.",
    examples: [{ valid: relayed(1), invalid: relayed(2), line: 4 }],
  },
  {
    rule: "successor-of-proxy",
    title: "Only proxies have a successor",
    rationale:
      "A component greeted with initialize is the last of the chain; what it wraps has nowhere to go.",
    examples: [{ valid: [...relayed(1), forward], invalid: [...start(1), forward], line: 5 }],
  },
];
