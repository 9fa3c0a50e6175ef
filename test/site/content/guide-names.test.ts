import { join } from "node:path";
import { loadDocs } from "../../../generators/schema/source/load-docs.js";
import { ROOT } from "../../support/paths.js";
import { describe, expect, test } from "vitest";
import { readTemplates } from "../../../generators/run/installation.js";
import { ownFields, innerShapes } from "../../../generators/model/map-shape.js";
import type { Shape } from "../../../generators/model/shape.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import { openSite } from "../support/site.js";

/** Methods that earlier drafts had. */
const { formerNames } = loadDocs(join(ROOT, "schema"));

const { protocols, files } = await openSite();
const guides = [...readTemplates()].filter(([path]) => /^site\/guides\/(?!tool)/.test(path));

/** Names in guides that are not of the protocol, with the reason. */
const FOREIGN: readonly RegExp[] = [
  // Chunks of the AI SDK.
  /^(text|reasoning)-(start|delta|end)$/,
  /^tool-(input|output)-\w+$|^file$|^source-(url|document)$|^finish(-step)?$/,
  // The package, its parts, and what programs of the guides call.
  /^session\.(new|startTurn|text|thought|toolCall)$|^turn\.(cancel\(\)|text|thought|toolCall)$|^(ask|update|fail)$/,
  /^acp-bindings|^SessionStore$|^(acp-codegen generate --target )?naming$|^acp-codegen init |^[\w-]+\.(ts|py|go)$|^session-pin\.json$/,
  /^(startTurn|start_turn|continueSession|supports|client|RpcError(\.invalid(Params|_params))?|(throw|raise) RpcError\..*|(return nil, )?acp\.(InvalidParams|ResourceNotFound\(.*\))|@extension|define(Request|Notification)|onNotes|on_notes|OnNotes|\*?Unknown|session_new|SessionNew|&quot;\*&quot;)$/,
  /^(unknown(:| &#x3D;) &quot;reject&quot;|grace(Ms)?|limits\.cancelGraceMs|Limits\.(cancel_grace|CancelGrace))$/,
  // What programs print with, and the settings of an editor.
  /^(console\.log|print|settings\.json|command|node|Meta|New(Agent|Client)|\/home\/ana\/\S+|\[&quot;\/home\/ana\/\S+&quot;\])$/,
  // The errors of the bindings, and what a client answers them with.
  /^(\*?acp\.\w*Error|[A-Z]\w*Error|acp\.AuthRequired\(\)|errors\.Is|continue_session|Continue)$/,
  // The sign-in and the state of the bindings, and what a command of Go has.
  /^(terminalLogin\(method, launch\)|terminal_login|Std(in|out)|onAuthRequired|authenticate_again|OnAuthRequired|timeline|revision|session\.state\.toolCalls|sessionStore)$/,
  // Forms and subagents of the bindings.
  /^(check_?elicitation|elicitationDefaults|session\.(path|state\.subagents)|Path)$/i,
  // An id, a kind that version 1 only implies, and what a release has removed or calls its profiles.
  /^(call_1|agent|--with|PlanFile|Diff\.changes|v[12]-unstable)$/,
  // A value in the message below the text.
  /^deep$/,
  // Prefixes and invented names.
  /^(_|\/|\$\/)$|^_example\.org\/reindex$/,
  // Names of features, where the profile has them.
  /^(document|textDocument)\/didOpen$|^nes_ide_actions$/,
  // Keys in `_meta`, and a capability of a vendor.
  /^(agentCapabilities|capabilities)\._meta\[&quot;example\.org&quot;\]\.reindex$/,
  /^(traceparent|tracestate|baggage)$/,
  // Environment variables of OpenTelemetry.
  /^OTEL_(\*|EXPORTER_OTLP_ENDPOINT)$/,
  // Names in another style, next to those of the protocol.
  /^(session_id|tool_call_id|message_id|option_id|stop_reason|raw_input|config_id)$/,
  // Names that a text declares not to be of the protocol.
  /^(promptCapabilities\.resource_link|providerId|modelId|parentMessageId|startedAt|errorText|-32001|general)$/,
  // Names of protocol version 1, next to their counterparts in version 2.
  /^(session\/(load|set_mode)|fs\/read_text_file|terminal\/create|tool_call|plan|current_mode_update)$/,
  // Names of protocol version 2, next to their counterparts in version 1.
  /^(agent_message|suggestionId)$/,
  // Values of JSON and the output of a program.
  /^(null|true|\{\}|\[\]|1|Hello|nothing)$/,
  // Prefixes of paths in Git.
  /^[ab]\/$/,
];

/** The guides of a profile, by the pages that were made of them. */
function pagesOf(profile: string): readonly (readonly [string, string])[] {
  return guides.flatMap(([path]) => {
    const page = path
      .split("/")
      .at(-1)!
      .replace(/(\.v\d+)?\.md$/, ".html");
    const html = files.get(`${profile}/${page}`);
    const isOther = /\.v(\d+)\.md$/.exec(path)?.[1];
    if (html === undefined || (isOther !== undefined && !profile.startsWith(`v${isOther}`)))
      return [];
    return [[page, html] as const];
  });
}

/** The names of a profile: whole names, and the properties that paths consist of. */
function vocabularyOf(protocol: Protocol): {
  readonly names: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
} {
  const names = new Set<string>([
    ...protocol.methods.map(({ name }) => name),
    ...protocol.features.map(({ name }) => name),
    ...formerNames.map(({ name }) => name),
  ]);
  const fields = new Set<string>(["_meta"]);
  const walk = (shape: Shape): void => {
    for (const field of ownFields(shape)) fields.add(field.name);
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
  return { names, fields };
}

const vocabularies = new Map(
  protocols.map((protocol) => [protocol.profile, vocabularyOf(protocol)]),
);

/** A guide from one version to the other names what either has. */
function knows(code: string, page: string, profile: string): boolean {
  const own = page === "migration.html" ? [...vocabularies.values()] : [vocabularies.get(profile)!];
  return own.some(
    ({ names, fields }) =>
      names.has(code) || code.split(".").every((part) => part !== "" && fields.has(part)),
  );
}

describe.each(protocols.map(({ profile }) => profile))("the guides of %s", (profile) => {
  test("name only methods, types, properties, values and codes that exist", () => {
    const unknown = new Set<string>();
    let known = 0;
    for (const [page, html] of pagesOf(profile)) {
      const prose = html
        .slice(html.indexOf("<main"), html.indexOf("</main>"))
        .replace(/<pre[\s\S]*?<\/pre>/g, "");
      for (const [, code] of prose.matchAll(/<code>(.*?)<\/code>/g)) {
        const name = code!.replace(/<[^>]+>/g, "");
        if (knows(name, page, profile)) known++;
        else if (!FOREIGN.some((pattern) => pattern.test(name))) unknown.add(`${page}: ${name}`);
      }
    }
    expect([...unknown]).toEqual([]);
    expect(known).toBeGreaterThan(60);
  });
});

test.each([
  ["v1", "adapter.html", "tool_call"],
  ["v2", "adapter.html", "tool_call_content_chunk"],
  ["v1", "naming.html", "toolCallId"],
  ["v2", "naming.html", "toolCallId"],
  ["v1", "transports.html", "standard error"],
  ["v1", "extending.html", "_example.org/reindex"],
  ["v2", "migration.html", "tool_call_content_chunk"],
  ["v2", "sessions.html", "requires_action"],
  ["v1-full", "agent-message-clear.html", "agent_message_clear"],
  ["v2-full", "agent-message-clear.html", "agent_message_clear"],
  ["v1-full", "next-edit-suggestions.html", "nes/suggest"],
  ["v2-full", "next-edit-suggestions.html", "nes/suggest"],
])("%s has the page %s, which mentions %s", (profile, page, name) => {
  expect(files.get(`${profile}/${page}`)).toContain(name);
});
