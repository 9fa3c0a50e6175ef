import { loadTemplates } from "../../../generators/run/inputs/load-templates.js";
import { loadInputs } from "../../../generators/run/targets/load-inputs.js";
import { resolveOptions } from "../../../generators/run/defaults.js";
import { compile } from "../../../generators/compile.js";
import { docs } from "../../../generators/emit/site/docs.js";
import type { Protocol } from "../../../generators/model/protocol.js";

/** Compiles the site of some profiles in memory: the text of every file by its path below `site/`. */
export async function compileSite(
  protocols: readonly Protocol[],
): Promise<ReadonlyMap<string, string>> {
  const templates = loadTemplates();
  const inputs = await loadInputs([docs], { options: resolveOptions({}), protocols, templates });
  const files = await compile(protocols, [docs], inputs, { templates, version: "0.0.0" });
  return new Map(files.map(({ path, text }) => [path.slice("site/".length), text]));
}
