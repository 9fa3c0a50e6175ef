import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import type { MethodSource } from "../../../../generators/schema/source/sources.js";
import { notificationOf, protocolOf, requestOf } from "../../schema/sources.js";
import {
  EMPTY,
  attributes,
  signature,
  emitSite,
  plain,
  protocolFrom,
  smallSite,
} from "./small-site.js";

describe("method pages", () => {
  const definitions = {
    InitializeRequest: EMPTY,
    InitializeResponse: {
      type: "object",
      properties: { capabilities: { $ref: "#/$defs/Capabilities" } },
    },
    Capabilities: {
      type: "object",
      properties: {
        fly: { type: "boolean" },
        roots: { type: "array", items: { type: "string" } },
        swim: { anyOf: [{ $ref: "#/$defs/P" }, { type: "null" }] },
      },
    },
    P: EMPTY,
    R: EMPTY,
  } satisfies { [name: string]: JsonSchema };
  const initialize = requestOf("initialize", "agent", "InitializeRequest", "InitializeResponse");

  test("show the gate: the path of a capability, the reason for its absence, or that it is unknown", async () => {
    const gated = (name: string, gate: MethodSource["gate"]): MethodSource => ({
      ...requestOf(name, "agent", "P", "R"),
      gate,
    });
    const protocol = protocolFrom(
      protocolOf(definitions, [
        initialize,
        gated("flag", { agent: "capabilities.fly" }),
        gated("present", { agent: "capabilities.swim", strength: "should" }),
        gated("filled", { agent: "capabilities.roots" }),
        gated("live", { session: "editing" }),
        gated("always", { always: "ungated" }),
        gated("entry", { session: "modes", entry: { id: "params.id" }, except: { type: "old" } }),
        gated("key", { agent: "capabilities", key: "params.mode", strength: "implicit" }),
        gated("unknown", { always: "baseline" }),
      ]),
    );
    const methods = protocol.methods.map((method) => {
      const { gate: _, ...rest } = method;
      return method.name === "unknown" ? rest : method;
    });
    const files = await emitSite({ ...protocol, methods });
    /** The gate in the signature, and the sentence where it says more. */
    const facts = (name: string): readonly [string, string] => {
      const html = files.get(`methods/${name}.html`)!;
      const [, note = ""] = /<p class="small">(.*?)<\/p>\n<h2 id="params">/.exec(html) ?? [];
      return [signature(html)[3]!, plain(note)];
    };
    expect(facts("flag")).toEqual(["needs capabilities.fly", ""]);
    expect(facts("present")).toEqual([
      "needs capabilities.swim",
      "Should only be used with the agent's capability capabilities.swim (any value but null).",
    ]);
    expect(facts("filled")).toEqual(["needs capabilities.roots", ""]);
    expect(facts("live")[1]).toBe(
      "Requires editing in the state of the session (any value but null).",
    );
    expect(facts("always")[0]).toBe("always available");
    expect(facts("always")[1]).toContain("the protocol has no capability for it");
    expect(facts("entry")[1]).toBe(
      "Requires an entry of the session's modes whose id equals params.id; entries whose type is old do not count.",
    );
    expect(facts("key")[1]).toBe(
      "Implicitly requires the member of the agent's capabilities that params.mode names.",
    );
    expect(facts("unknown")[0]).toBe("gate unknown");
    expect(facts("unknown")[1]).toContain("Unknown");
    expect(files.get("methods/flag.html")).toContain('href="../types/Capabilities.html#field-fly"');
    expect(files.get("index.html")).toContain("gate unknown");
    expect(files.get("methods/present.html.md")).toMatch(
      /needs \[`capabilities\.swim`\].*\n[^]*\nShould only be used with the agent's capability/,
    );
  });

  test("show a request and a notification of the same name both, with ids of their own", async () => {
    const files = await smallSite(
      { ...definitions, N: { type: "object", properties: { x: { type: "string" } } } },
      [
        { ...notificationOf("mcp/message", "agent", "N"), summary: "Tells the agent." },
        { ...requestOf("mcp/message", "client", "P", "R"), summary: "Asks the client." },
      ],
    );
    expect([...files.keys()].filter((path) => path.startsWith("methods/"))).toEqual([
      "methods/mcp/message.html",
      "methods/mcp/message.html.md",
    ]);
    const html = files.get("methods/mcp/message.html")!;
    for (const shown of [
      "Asks the client.",
      "Tells the agent.",
      "Request, agent to client",
      "Notification, client to agent",
    ]) {
      expect(html).toContain(shown);
      expect(files.get("methods/mcp/message.html.md")).toContain(shown);
    }
    const ids = attributes(html, "id");
    for (const id of [
      "request",
      "params",
      "result",
      "errors",
      "examples",
      "notification",
      "notification-params",
      "notification-params-field-x",
      "notification-examples",
    ]) {
      expect(ids.filter((other) => other === id)).toEqual([id]);
    }
  });
});
