import { isPath } from "../inputs/input-files.js";
import { DEFAULTS } from "../defaults.js";
import type { GenerateOptions } from "../options.js";
import type { VerifyOptions } from "./rebuild.js";

/** An output folder with the user's inputs that it was generated from. */
export interface OutputFolder {
  readonly folder: string;
  readonly options: VerifyOptions;
}

/** Returns the folders of the outputs of a configuration, each once: several outputs may share one. */
export function configuredFolders(outputs: readonly GenerateOptions[]): readonly OutputFolder[] {
  const folders = [...new Set(outputs.map(({ out = DEFAULTS.out }) => out))];
  return folders.map((folder) => {
    const own = outputs.filter(({ out = DEFAULTS.out }) => out === folder);
    const schema = own.find((output) => output.schema !== undefined);
    const paths = (name: "with" | "targets"): readonly string[] =>
      own.flatMap((output) => output[name] ?? []).filter(isPath);
    return {
      folder,
      options: {
        with: paths("with"),
        targets: paths("targets"),
        ...(schema?.schema !== undefined && { schema: schema.schema }),
        ...(schema?.meta !== undefined && { meta: schema.meta }),
      },
    };
  });
}
