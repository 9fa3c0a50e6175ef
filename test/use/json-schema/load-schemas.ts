import type { Schema } from "acp-bindings";
import { schemas } from "../../../generators/emit/typescript/schemas/schemas.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import type { CodeFolder } from "../../support/code-folder.js";

/**
 * Emits a protocol, whose profile must be new to the folder.
 *
 * @returns its schemas by definition
 */
export async function loadSchemas(
  folder: CodeFolder,
  protocol: Protocol,
): Promise<(definition: string) => Schema<unknown>> {
  const context = { templates: new Map<string, string>(), version: "0.0.0" };
  folder.write(await schemas.emit([protocol], {}, context));
  const module = await folder.load<{ readonly [name: string]: Schema<unknown> }>(
    `typescript/src/${protocol.profile}/schemas.ts`,
  );
  return (definition) => module[definition]!;
}
