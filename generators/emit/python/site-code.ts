import { methodWith } from "../../model/method-with.js";
import { buildParts } from "../../model/parts/build-parts.js";
import type { Method, Protocol } from "../../model/protocol.js";
import type { CodeSample, SiteCode } from "../inputs.js";
import {
  DEFAULT_MODULE,
  DEFAULT_PACKAGE,
  languageNames,
  type PackageIdentity,
} from "../package-facts.js";

import { createNames, LANGUAGE, subpackageName, type PythonNames } from "./names.js";
import { AGENT_NAMES } from "./sessions/agent-session.js";
import { boundCallOf } from "./sessions/bound-calls.js";
import { CLIENT_NAMES } from "./sessions/client-session.js";
import { sessionClasses } from "./sessions/classes.js";
import type { Types } from "./sessions/keywords.js";
import { printDeclaration } from "./types.js";

/** The Python code on the pages of the site. */
export function siteCode(protocol: Protocol, identity: PackageIdentity): SiteCode {
  const { definitions, initialize, profile } = protocol;
  const parts = buildParts(protocol);
  const names = createNames(parts, protocol);
  const types = { parts, names };
  const { module: root, distribution } = languageNames(identity, LANGUAGE);
  const module = `${root}.${subpackageName(profile)}`;
  const definitionNames = new Map(definitions.map(({ name }) => [names.typeOf(name), name]));
  const hasSessions = initialize !== undefined && sessionClasses(protocol, types) !== undefined;
  return {
    language: "Python",
    syntax: "python",
    hasWireNames: false,
    named: (text) =>
      text
        .replaceAll("%module%", subpackageName(profile))
        .replaceAll(DEFAULT_MODULE, () => root)
        .replaceAll(DEFAULT_PACKAGE, () => distribution),
    definitionOf: (word) => definitionNames.get(word),
    ofDefinition: (name) => [
      {
        caption: "Import",
        text: `from ${module}.types import ${names.typeOf(name)}`,
      },
      { caption: "Declaration", text: printDeclaration(name, parts, names) },
    ],
    ofMethod: (method) => {
      if (initialize !== undefined && method.name === initialize.method.name)
        return handshake(module);
      const role = initialize && ROLES.find(({ side }) => side === method.side);
      if (initialize !== undefined && method.side === "protocol")
        return [importOf(method, module, names), ...cancellation(protocol, module, names)];
      // Proxies have no roles: the connection handles their messages.
      if (role === undefined) return [importOf(method, module, names)];
      const taken = role.side === "agent" ? CLIENT_NAMES : AGENT_NAMES;
      const call = hasSessions ? boundCallOf(method, types, taken) : undefined;
      const given = call?.keywords.filter(({ required }) => required) ?? [];
      const result = method.result === undefined ? "" : "result = ";
      return [
        ...ofRole(method, role, module, types),
        ...(call === undefined
          ? []
          : [
              {
                caption: "Call, of a session",
                text: `${result}await session.${call.name}(${given.map(({ name }) => `${name}=...`).join(", ")})`,
              },
            ]),
      ];
    },
  };
}

/** A role, and the variable that is it on the other side. */
interface SiteRole {
  readonly side: "agent" | "client";
  readonly name: string;
  readonly context: string;
}

const ROLES: readonly SiteRole[] = [
  { side: "agent", name: "Agent", context: "AgentContext" },
  { side: "client", name: "Client", context: "ClientContext" },
];

function ofRole(
  method: Method,
  { name, side, context }: SiteRole,
  module: string,
  { parts, names }: Types,
): readonly CodeSample[] {
  const { params, result } = method;
  const isRecord = parts.get(params)?.kind === "record";
  const type = (definition: string): string => `types.${names.typeOf(definition)}`;
  const returned = result === undefined ? "None" : type(result);
  const handler = names.handlerOf(method);
  const answer = result === undefined ? "" : "result = ";
  return [
    { caption: "Import", text: `from ${module} import ${name}, ${context}, types` },
    {
      caption: `Handler, in a subclass of ${name}`,
      text: `async def ${handler}(self, params: ${type(params)}, context: ${context}) -> ${returned}: ...`,
    },
    {
      caption: "Call, on the other side",
      text: `${answer}await ${side}.${handler}(${isRecord ? `${type(params)}(...)` : "params"})`,
    },
  ];
}

/** The messages of the handshake, which roles send and answer by themselves. */
function handshake(module: string): readonly CodeSample[] {
  const args = (side: string): string =>
    `info=types.Implementation(...), capabilities=types.${side}Capabilities(...)`;
  return [
    { caption: "Import", text: `from ${module} import Agent, Client, types` },
    { caption: "Answer, from the arguments of the agent", text: `Agent(${args("Agent")})` },
    { caption: "Call, from the arguments of the client", text: `Client(${args("Client")})` },
  ];
}

/** How a cancelled request looks to both sides; connections send and handle its notification. */
function cancellation(
  protocol: Protocol,
  module: string,
  names: PythonNames,
): readonly CodeSample[] {
  const method = methodWith(protocol, "creates-session");
  if (method === undefined) return [];
  const handler = names.handlerOf(method);
  const params = `types.${names.typeOf(method.params)}`;
  return [
    { caption: "Import", text: `from ${module} import Agent, AgentContext, types` },
    {
      caption: "Handler, in a subclass of Agent: its task is cancelled",
      text: `async def ${handler}(self, params: ${params}, context: AgentContext) -> types.${names.typeOf(method.result!)}: ...`,
    },
    {
      caption: "Call: the end of its timeout cancels the request",
      text: `result = await agent.${handler}(${params}(...), timeout=5)`,
    },
  ];
}

function importOf({ params, result }: Method, module: string, names: PythonNames): CodeSample {
  const used = [params, ...(result === undefined ? [] : [result])].map((name) =>
    names.typeOf(name),
  );
  return { caption: "Types", text: `from ${module}.types import ${used.join(", ")}` };
}
