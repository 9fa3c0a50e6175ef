import type { Definition } from "../../../model/protocol.js";
import { code, identifier, joinCode, type Code } from "../../../output/code.js";
import { referencesOf } from "../../../model/visit-shape.js";
import { outputPath } from "../../../output/file.js";
import { perProfile, type Emitter, type ProfileFile } from "../../emitter.js";
import { siteCode } from "./site-code.js";
import { printDefinition, type PrintContext } from "./print.js";
import { printContext } from "./print-context.js";

/** TypeScript types, one export per definition. */
export const types: Emitter = {
  name: "types",
  summary: "TypeScript types, one per definition, documented and narrowing",
  siteCode,
  emit: perProfile(async (protocol, _, { memo }) => {
    const context = printContext(protocol, memo);
    const printed = await Promise.all(
      protocol.definitions.map((definition) =>
        printDefinition(protocol.sent.get(definition.name) ?? definition, context),
      ),
    );
    const path = (file: string): string => outputPath("typescript", "src", protocol.profile, file);
    const files: ProfileFile[] = [
      { path: path("types.ts"), text: joinCode(printed, "\n\n"), language: "typescript" },
    ];
    if (protocol.received.size > 0) {
      const text = await printReceived(protocol.received, context);
      files.push({ path: path("received.ts"), text, language: "typescript" });
    }
    return files;
  }),
};

/** Prints the received form of every definition that has one, under the same name. */
async function printReceived(
  received: ReadonlyMap<string, Definition>,
  context: PrintContext,
): Promise<Code> {
  const printed = await Promise.all(
    [...received.values()].map((definition) =>
      printDefinition(
        {
          ...definition,
          description: `${definition.description}\n\nAs received: what is unknown has been kept.`,
        },
        context,
      ),
    ),
  );
  const used = new Set([...received.values()].flatMap(({ shape }) => referencesOf(shape)));
  const imports = [...used].filter((name) => !received.has(name)).sort();
  const names = imports.map((name) => identifier(context.identifierOf(name)));
  const first =
    names.length > 0 ? [code`import type { ${joinCode(names, ", ")} } from "./types.js";`] : [];
  return joinCode([...first, ...printed], "\n\n");
}
