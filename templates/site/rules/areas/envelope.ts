import type { RuleDoc } from "../rule-doc.js";
import {
  agent,
  client,
  inBoth,
  listRequest,
  listResponse,
  s,
  start,
  update,
} from "../transcript-builder.js";

const v2 = start(2);
const message = update("agent_message_chunk", { messageId: "m" });
const bare = { jsonrpc: "2.0", method: "_vendor/x" };
const withdraw = (requestId: unknown) => client.notify("$/cancel_request", { requestId });

/** Rules of JSON-RPC. */
export const ENVELOPE: readonly RuleDoc[] = [
  {
    rule: "message-shape",
    title: "Every message is a request, a notification or a response of JSON-RPC 2.0",
    rationale:
      "The members of a message alone determine its kind. A receiver cannot process a message that is of two kinds or of none.",
    examples: inBoth((version) => ({
      valid: start(version),
      invalid: [...start(version), agent.raw({ method: "session/update", params: s() })],
      line: 5,
    })),
  },
  {
    rule: "structured-params",
    title: "The params of a message are an object or a list, or are left out",
    rationale:
      "JSON-RPC has no other params. Most receivers read null as absent, and a strict one rejects the message.",
    examples: inBoth((version) => ({
      valid: [...start(version), client.notify("_vendor/x"), agent.raw(bare)],
      invalid: [...start(version), client.notify("_vendor/x", null)],
      line: 5,
    })),
  },
  {
    rule: "no-batches",
    title: "Messages are sent one by one",
    rationale:
      "Receivers without batches reject the whole array, and every message in it is lost. The draft of version 2 has batches on its page about transports; the official SDKs send none.",
    examples: inBoth((version) => ({
      valid: [...start(version), message, message],
      invalid: [...start(version), agent.raw([message.message, message.message])],
      line: 5,
    })),
  },
  {
    rule: "no-response-to-notifications",
    title: "A notification is not answered",
    rationale:
      "A notification has no id, so no request matches the response, and the sides disagree about pending requests.",
    examples: inBoth((version) => ({
      valid: [...start(version), message, agent.error(null, -32700)],
      invalid: [...start(version), message, client.result(null, null)],
      line: 6,
    })),
  },
  {
    rule: "one-response",
    title: "A request is answered once",
    rationale:
      "The sender forgets a request at its first response; a second one is unmatched, or is matched with another request.",
    examples: inBoth((version) => ({
      valid: [...start(version), listRequest(), listResponse(), listRequest(), listResponse()],
      invalid: [...start(version), listRequest(), listResponse(), listResponse()],
      line: 7,
    })),
  },
  {
    rule: "known-response-id",
    title: "A response has the id of a request, of the same type",
    rationale:
      'Only the id connects a response with its request. The number 2 and the string "2" are different ids.',
    examples: inBoth((version) => ({
      valid: [...start(version), listRequest(), listResponse()],
      invalid: [...start(version), listRequest(), listResponse("2"), listResponse()],
      line: 6,
    })),
  },
  {
    rule: "every-request-answered",
    title: "Every request is answered",
    rationale: "The sender waits for the response, possibly forever.",
    examples: inBoth((version) => ({
      valid: [...start(version), listRequest(), listResponse()],
      invalid: [...start(version), listRequest()],
      line: 5,
    })),
  },
  {
    rule: "withdrawn-request-answered",
    title: "A cancelled request is still answered",
    rationale:
      "`$/cancel_request` does not guarantee cancellation; only the response shows whether the work was stopped or already complete.",
    examples: inBoth((version) => ({
      valid: [...start(version), listRequest(), withdraw(2), agent.error(2, -32800)],
      invalid: [...start(version), listRequest(), withdraw(2)],
      line: 5,
    })),
  },
  {
    rule: "withdrawn-request-error",
    title: "A cancelled request ends with a result or with error -32800",
    rationale: "The sender would treat any other error as a failure, and may display it or retry.",
    examples: inBoth((version) => ({
      valid: [...start(version), listRequest(), withdraw(2), agent.error(2, -32800)],
      invalid: [...start(version), listRequest(), withdraw(2), agent.error(2, -32603)],
      line: 7,
    })),
  },
  {
    rule: "known-withdrawn-request",
    title: "A side cancels only requests that it has sent",
    rationale:
      "An id that was never used indicates that the sender confuses the ids of the two directions, or their types.",
    examples: inBoth((version) => ({
      valid: [...start(version), listRequest(), listResponse(), withdraw(2)],
      invalid: [...start(version), withdraw("1")],
      line: 5,
    })),
  },
  {
    rule: "request-id",
    title: "In version 2 the id of a request is never null",
    rationale: "Errors about unreadable messages have the id null, so it cannot name a request.",
    examples: [
      {
        valid: v2,
        invalid: [...v2, client.ask(null, "session/list"), agent.result(null, { sessions: [] })],
        line: 5,
      },
    ],
  },
  {
    rule: "unique-request-id",
    title: "The id of a pending request is not reused",
    rationale: "With two pending requests of the same id, a response cannot be matched.",
    examples: inBoth((version) => ({
      valid: [
        ...start(version),
        listRequest(),
        agent.ask(2, "_x"),
        listResponse(),
        client.error(2),
      ],
      invalid: [...start(version), listRequest(), listRequest(), listResponse()],
      line: 6,
    })),
  },
  {
    rule: "method-direction",
    title: "A method is sent to the side that handles it, as a request or as a notification",
    rationale:
      "The same name can mean different things in the two directions, and the wrong form gets no answer or an unwanted one.",
    examples: inBoth((version) => ({
      valid: [...start(version), client.notify("session/cancel", s())],
      invalid: [...start(version), client.ask(2, "session/cancel", s()), agent.result(2)],
      line: 5,
    })),
  },
  {
    rule: "extension-prefix",
    title: "Extension methods begin with an underscore",
    rationale:
      "A later version of the protocol may define any other name with a different meaning.",
    examples: inBoth((version) => ({
      valid: [
        ...start(version),
        client.ask(2, "_vendor/x"),
        agent.error(2, -32601),
        client.notify("$/odd"),
      ],
      invalid: [...start(version), client.ask(2, "vendor/x"), agent.error(2, -32601)],
      line: 5,
    })),
  },
];
