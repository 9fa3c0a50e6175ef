import type { RuleDoc } from "../rule-doc.js";
import { agent, client, inBoth, list, listed, s, start, update } from "../transcript-builder.js";

const v2 = start(2);
const message = update("agent_message_chunk", { messageId: "m" });
const withdraw = (requestId: unknown) => client.tell("$/cancel_request", { requestId });

/** Rules of JSON-RPC. */
export const ENVELOPE: readonly RuleDoc[] = [
  {
    rule: "message-shape",
    title: "Every message is a request, a notification or a response of JSON-RPC 2.0",
    rationale:
      "What a message is follows from its members alone. One that is two things, or none, cannot be taken anywhere.",
    examples: inBoth((version) => ({
      valid: start(version),
      invalid: [...start(version), agent.raw({ method: "session/update", params: s() })],
      line: 5,
    })),
  },
  {
    rule: "no-batches",
    title: "Messages are sent one by one",
    rationale:
      "ACP has no batches: receivers refuse a list as a whole, and everything in it is lost.",
    examples: inBoth((version) => ({
      valid: [...start(version), message, message],
      invalid: [...start(version), agent.raw([message.message, message.message])],
      line: 5,
    })),
  },
  {
    rule: "no-response-to-notifications",
    title: "Nobody answers a notification",
    rationale:
      "A notification has no id, so an answer belongs to nothing, and the sides no longer agree on what is open.",
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
      "The asker forgets a request with its first answer; a second one is noise, or worse, is taken for another's.",
    examples: inBoth((version) => ({
      valid: [...start(version), list(), listed(), list(), listed()],
      invalid: [...start(version), list(), listed(), listed()],
      line: 7,
    })),
  },
  {
    rule: "known-response-id",
    title: "A response has the id of a request, of the same type",
    rationale:
      "The id is all that ties an answer to its question. The number 2 and the text 2 are two ids.",
    examples: inBoth((version) => ({
      valid: [...start(version), list(), listed()],
      invalid: [...start(version), list(), listed("2"), listed()],
      line: 6,
    })),
  },
  {
    rule: "every-request-answered",
    title: "Every request is answered",
    rationale: "Whoever asked waits for the answer, maybe forever.",
    examples: inBoth((version) => ({
      valid: [...start(version), list(), listed()],
      invalid: [...start(version), list()],
      line: 5,
    })),
  },
  {
    rule: "withdrawn-request-answered",
    title: "A request that was taken back is answered all the same",
    rationale:
      "$/cancel_request is a wish; only the answer tells whether the work was stopped or was done already.",
    examples: inBoth((version) => ({
      valid: [...start(version), list(), withdraw(2), agent.error(2, -32800)],
      invalid: [...start(version), list(), withdraw(2)],
      line: 5,
    })),
  },
  {
    rule: "withdrawn-request-error",
    title: "A request that was taken back ends with a result or with error -32800",
    rationale:
      "Any other error reads as a failure, which the asker may show to the user or try to mend.",
    examples: inBoth((version) => ({
      valid: [...start(version), list(), withdraw(2), agent.error(2, -32800)],
      invalid: [...start(version), list(), withdraw(2), agent.error(2, -32603)],
      line: 7,
    })),
  },
  {
    rule: "known-withdrawn-request",
    title: "A side takes back only requests that it has sent",
    rationale: "An id that was never used points to a mixed-up id space or a wrong type of id.",
    examples: inBoth((version) => ({
      valid: [...start(version), list(), listed(), withdraw(2)],
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
    title: "The id of an open request is not used again",
    rationale: "With two requests of one id, nobody can tell which of them an answer is for.",
    examples: inBoth((version) => ({
      valid: [...start(version), list(), agent.ask(2, "_x"), listed(), client.error(2)],
      invalid: [...start(version), list(), list(), listed()],
      line: 6,
    })),
  },
  {
    rule: "method-direction",
    title: "A method is sent to the side that handles it, as a request or as a notification",
    rationale:
      "The same name can mean different things in the two directions, and the wrong form gets no answer or an unwanted one.",
    examples: inBoth((version) => ({
      valid: [...start(version), client.tell("session/cancel", s())],
      invalid: [...start(version), client.ask(2, "session/cancel", s()), agent.result(2)],
      line: 5,
    })),
  },
  {
    rule: "extension-prefix",
    title: "Methods of one's own begin with an underscore",
    rationale: "Any other name may become a method of the protocol tomorrow, with another meaning.",
    examples: inBoth((version) => ({
      valid: [
        ...start(version),
        client.ask(2, "_vendor/x"),
        agent.error(2, -32601),
        client.tell("$/odd"),
      ],
      invalid: [...start(version), client.ask(2, "vendor/x"), agent.error(2, -32601)],
      line: 5,
    })),
  },
];
