import { describe, expect, test } from "vitest";
import { compose } from "../../../../generators/schema/compose.js";
import { publishSchema } from "../../../../generators/schema/compose/publish.js";
import type { EnvelopeOptions } from "../../../../generators/schema/source/sources.js";
import { validatorOf } from "../canonical.js";
import { notificationOf, protocolOf, requestOf } from "../sources.js";

const object = { description: "Any.", type: "object" };

function bundleWith(envelopes?: EnvelopeOptions) {
  const protocol = protocolOf(
    {
      RequestId: {
        anyOf: [
          { title: "Number", type: "integer" },
          { title: "Str", type: "string" },
        ],
      },
      Error: object,
      ...{ ExtRequest: {}, ExtResponse: {}, ExtNotification: {} },
      ...{ DoRequest: object, DoResponse: object, StopNotification: object },
    },
    [
      requestOf("do", "agent", "DoRequest", "DoResponse"),
      notificationOf("stop", "protocol", "StopNotification"),
    ],
  );
  return compose({ ...protocol, ...(envelopes && { envelopes }) }, []);
}

describe("the JSON-RPC forms of a protocol version", () => {
  const titles = (envelopes?: EnvelopeOptions) =>
    publishSchema(bundleWith(envelopes)).anyOf!.map(({ title }) => title);

  test("have batches where its document has them", () => {
    expect(titles()).toEqual(["Agent", "Client", "ProtocolLevel"]);
    expect(titles({ batches: true })).toEqual([
      ...["Agent", "Client", "AgentBatchCall", "AgentBatchResponse"],
      ...["ClientBatchCall", "ClientBatchResponse", "ProtocolLevel"],
    ]);
    const notification = "ProtocolLevelNotification";
    expect(bundleWith().definitions.has(notification)).toBe(false);
    expect(bundleWith({ batches: true }).definitions.has(notification)).toBe(true);
  });

  test("have errors without an id unless its document forbids them", () => {
    const error = { id: null, error: {} };
    expect(validatorOf(bundleWith())("AgentResponse", error)).toBeUndefined();
    expect(validatorOf(bundleWith({ nullErrorId: false }))("AgentResponse", error)).toBeDefined();
  });

  test("describe params by their method, and results as results", () => {
    const { $defs } = publishSchema(bundleWith());
    const [params] = $defs!["ClientRequest"]!.properties!["params"]!.anyOf!;
    const [result] = $defs!["AgentResponse"]!.anyOf!;
    expect(params!.anyOf![0]!.description).toMatch(/^\S.* \S/);
    expect(result!.properties!["result"]!.anyOf!.map(({ description }) => description)).toEqual([
      "Result of a successful `do` request.",
      "Result of a successful request whose method ACP does not define.",
    ]);
  });
});
