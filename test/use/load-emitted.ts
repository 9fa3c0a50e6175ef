import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import type { Validator } from "acp-bindings";
import { decoders } from "../../generators/emit/decoders/decoders.js";
import { validators } from "../../generators/emit/validators.js";
import type { Protocol } from "../../generators/model/protocol.js";
import { ROOT } from "../paths.js";

const RUNTIME = join(ROOT, "templates/runtime");

/** A folder for emitted code that is loaded, with the runtime that it needs. */
export interface Workshop {
  /** Emits a protocol, whose profile must be new to the folder, and gives its validators by definition. */
  readonly load: (protocol: Protocol) => Promise<(definition: string) => Validator<unknown>>;
  readonly remove: () => void;
}

export function openWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), "acp-emitted-"));
  const write = (path: string, text: string): void => {
    const file = join(folder, path.replace(/\.ts$/, ".js"));
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 },
    });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, outputText);
  };
  for (const name of readdirSync(RUNTIME).filter((name) => name.endsWith(".ts")))
    write(`typescript/src/runtime/${name}`, readFileSync(join(RUNTIME, name), "utf8"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  return {
    load: async (protocol) => {
      const context = { templates: new Map<string, string>(), version: "0.0.0" };
      for (const emitter of [decoders, validators])
        for (const { path, text } of await emitter.emit(protocol, context)) write(path, text);
      const file = join(folder, `typescript/src/${protocol.profile}/validators.js`);
      const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
        readonly [name: string]: Validator<unknown>;
      };
      return (definition) => module[`validate${definition}`]!;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
