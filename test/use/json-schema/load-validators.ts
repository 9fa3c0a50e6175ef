import type { Validator } from "acp-bindings";
import { decoders } from "../../../generators/emit/decoders/decoders.js";
import { validators } from "../../../generators/emit/validators.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import type { CodeFolder } from "../../support/code-folder.js";

/**
 * Emits a protocol, whose profile must be new to the folder.
 *
 * @returns its validators by definition
 */
export async function loadValidators(
  folder: CodeFolder,
  protocol: Protocol,
): Promise<(definition: string) => Validator<unknown>> {
  const context = { templates: new Map<string, string>(), version: "0.0.0" };
  for (const emitter of [decoders, validators]) folder.write(await emitter.emit(protocol, context));
  const module = await folder.load<{ readonly [name: string]: Validator<unknown> }>(
    `typescript/src/${protocol.profile}/validators.ts`,
  );
  return (definition) => module[`validate${definition}`]!;
}
