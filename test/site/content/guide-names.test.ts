import { describe, expect, test } from "vitest";
import { readTemplates } from "../../../generators/run/installation.js";
import { fieldsOf, innerShapes } from "../../../generators/model/map-shape.js";
import type { Shape } from "../../../generators/model/shape.js";
import { openSite } from "../support/site.js";

const { protocols, files } = await openSite();
const guides = [...readTemplates()].filter(([path]) => path.startsWith("docs/guides/"));

/** What guides name that is not of the protocol, and why. */
const FOREIGN: readonly RegExp[] = [
  // Chunks of the AI SDK.
  /^(text|reasoning)-(start|delta|end)$/,
  /^tool-(input|output)-\w+$|^file$|^source-(url|document)$|^finish(-step)?$/,
  // The package, its parts, and what programs of the guides call.
  /^session\.(new|startTurn|text|thought|toolCall)$|^turn\.(cancel\(\)|text|thought|toolCall)$|^(ask|update|fail)$/,
  /^acp-bindings|^SessionStore$|^(npx acp-codegen generate --target )?naming$|^npx acp-codegen init |^(agent|client)\.ts$|^session-pin\.json$/,
  // Prefixes, and names that are made up.
  /^(_|\/|\$\/)$|^_example\.org\/reindex$/,
  // Of features, where the profile has them.
  /^document\/didOpen$|^nes_ide_actions$/,
  // Keys in `_meta`.
  /^(traceparent|tracestate|baggage)$/,
  // Names in another style, beside those of the protocol.
  /^(session_id|tool_call_id|message_id|option_id|stop_reason|raw_input|config_id)$/,
  // What a text says not to be of the protocol.
  /^(promptCapabilities\.resource_link|providerId|modelId|parentMessageId|startedAt|errorText|-32001|general)$/,
  // Of protocol version 1, beside what version 2 has instead.
  /^(session\/(load|set_mode)|fs\/read_text_file|terminal\/create|tool_call|plan|current_mode_update)$/,
  // Of protocol version 2, beside what version 1 has instead.
  /^(agent_message|suggestionId)$/,
  // Values of JSON and the output of a program.
  /^(null|Hello|nothing)$/,
];

/** The guides of a profile, by the pages that were made of them. */
function pagesOf(profile: string): readonly (readonly [string, string])[] {
  return guides.flatMap(([path]) => {
    const page = path.slice("docs/guides/".length).replace(/(\.v\d+)?\.md$/, ".html");
    const html = files.get(`${profile}/${page}`);
    const isOther = /\.v(\d+)\.md$/.exec(path)?.[1];
    if (html === undefined || (isOther !== undefined && !profile.startsWith(`v${isOther}`)))
      return [];
    return [[page, html] as const];
  });
}

describe.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "the guides of %s",
  (profile, protocol) => {
    const names = new Set<string>([
      ...protocol.methods.map(({ name }) => name),
      ...protocol.features.map(({ name }) => name),
    ]);
    const fields = new Set<string>(["_meta"]);
    const walk = (shape: Shape): void => {
      for (const field of fieldsOf(shape)) fields.add(field.name);
      if (shape.kind === "tagged") {
        fields.add(shape.tag);
        for (const { value } of shape.variants) names.add(value);
      }
      if (shape.kind === "enum") for (const { value } of shape.values) names.add(String(value));
      for (const { shape: inner } of innerShapes(shape)) walk(inner);
    };
    for (const { name, shape } of protocol.definitions) {
      names.add(name);
      walk(shape);
    }

    test("name only methods, types, properties, values and codes that there are", () => {
      const unknown = new Set<string>();
      let known = 0;
      for (const [page, html] of pagesOf(profile)) {
        const prose = html
          .slice(html.indexOf("<main"), html.indexOf("</main>"))
          .replace(/<pre[\s\S]*?<\/pre>/g, "");
        for (const [, code] of prose.matchAll(/<code>(.*?)<\/code>/g)) {
          const name = code!.replace(/<[^>]+>/g, "");
          if (FOREIGN.some((pattern) => pattern.test(name)) && !names.has(name)) continue;
          const isKnown =
            names.has(name) || name.split(".").every((part) => part !== "" && fields.has(part));
          if (isKnown) known++;
          else unknown.add(`${page}: ${name}`);
        }
      }
      expect([...unknown]).toEqual([]);
      expect(known).toBeGreaterThan(60);
    });
  },
);

test.each([
  ["v1", "adapter.html", "tool_call"],
  ["v2", "adapter.html", "tool_call_content_chunk"],
  ["v1", "naming.html", "toolCallId"],
  ["v2", "naming.html", "toolCallId"],
  ["v1-full", "agent-message-clear.html", "agent_message_clear"],
  ["v2-full", "agent-message-clear.html", "agent_message_clear"],
  ["v1-full", "next-edit-suggestions.html", "nes/suggest"],
  ["v2-full", "next-edit-suggestions.html", "nes/suggest"],
])("%s has the page %s, which speaks of %s", (profile, page, name) => {
  expect(files.get(`${profile}/${page}`)).toContain(name);
});
