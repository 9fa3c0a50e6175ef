import type { Protocol } from "../../model/protocol.js";
import { joinCode } from "../../output/code.js";
import { outputPath } from "../../output/file.js";
import type { EmittedFile, Emitter } from "../emitter.js";
import { printGuards } from "./guards.js";
import { printDefinition, type PrintContext } from "./print.js";

/** TypeScript types, one export a definition, and guards for open unions. */
export const types: Emitter = {
  name: "types",
  summary: "TypeScript types, one per definition, documented and narrowing",
  emit: async (protocol) => {
    const context = printContext(protocol);
    const printed = await Promise.all(
      protocol.definitions.map((definition) => printDefinition(definition, context)),
    );
    const path = (file: string): string => outputPath("typescript", "src", protocol.profile, file);
    const files: EmittedFile[] = [
      { path: path("types.ts"), text: joinCode(printed, "\n\n"), language: "typescript" },
    ];
    const guards = printGuards(protocol);
    if (guards !== undefined)
      files.push({ path: path("guards.ts"), text: guards, language: "typescript" });
    return files;
  },
};

function printContext(protocol: Protocol): PrintContext {
  const identifiers = new Map(
    protocol.definitions.map(({ name, identifier }) => [name, identifier]),
  );
  const titles = new Map(
    protocol.features.map(({ name, title, status }) => [name, `${title} (${status})`]),
  );
  return {
    identifierOf: (name) => identifiers.get(name)!,
    findIdentifier: (name) => identifiers.get(name),
    featureTitle: (name) => titles.get(name) ?? name,
    methods: protocol.methods,
  };
}
