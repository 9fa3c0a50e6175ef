import { buildParts } from "../../model/parts/build-parts.js";
import type { Protocol } from "../../model/protocol.js";
import type { SiteCode } from "../emitter.js";
import { createNames, moduleOf } from "./names.js";
import { printDeclaration } from "./types.js";

/** The Python code on the pages of the site. */
export function siteCode({ definitions, profile }: Protocol): SiteCode {
  const parts = buildParts(definitions);
  const names = createNames(parts);
  const definitionNames = new Map(definitions.map(({ name }) => [names.typeOf(name), name]));
  return {
    language: "Python",
    syntax: "python",
    definitionOf: (word) => definitionNames.get(word),
    ofDefinition: (name) => [
      {
        caption: "Import",
        text: `from acp_bindings.${moduleOf(profile)}.types import ${names.typeOf(name)}`,
      },
      { caption: "Declaration", text: printDeclaration(name, parts, names) },
    ],
  };
}
