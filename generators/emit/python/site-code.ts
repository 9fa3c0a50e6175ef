import { buildParts } from "../../model/parts/build-parts.js";
import type { Protocol } from "../../model/protocol.js";
import type { SiteCode } from "../emitter.js";
import { handlerOf } from "./methods.js";
import { createNames, moduleOf } from "./names.js";
import { printDeclaration } from "./types.js";

/** The Python code on the pages of the site. */
export function siteCode({ definitions, initialize, profile }: Protocol): SiteCode {
  const parts = buildParts(definitions);
  const names = createNames(parts);
  const module = `acp_bindings.${moduleOf(profile)}`;
  const definitionNames = new Map(definitions.map(({ name }) => [names.typeOf(name), name]));
  return {
    language: "Python",
    syntax: "python",
    definitionOf: (word) => definitionNames.get(word),
    ofDefinition: (name) => [
      {
        caption: "Import",
        text: `from ${module}.types import ${names.typeOf(name)}`,
      },
      { caption: "Declaration", text: printDeclaration(name, parts, names) },
    ],
    ofMethod: (method) => {
      const { params, result, side } = method;
      const roles = { agent: ["Agent", "agent"], client: ["Client", "client"] } as const;
      // Proxies and both sides at once have no roles: the connection handles their messages.
      if ((side !== "agent" && side !== "client") || initialize === undefined) return [];
      if (method.name === initialize.method.name) return [];
      const [role, peer] = roles[side];
      const type = (name: string): string => `types.${names.typeOf(name)}`;
      const returned = result === undefined ? "None" : type(result);
      const handler = handlerOf(method);
      const answer = result === undefined ? "" : "result = ";
      return [
        { caption: "Import", text: `from ${module} import ${role}, types` },
        {
          caption: `Handler, in a subclass of ${role}`,
          text: `async def ${handler}(self, params: ${type(params)}, context) -> ${returned}: ...`,
        },
        {
          caption: "Call, on the other side",
          text: `${answer}await ${peer}.${handler}(${type(params)}(...))`,
        },
      ];
    },
  };
}
