import { join } from "node:path";
import { loadTemplates } from "../../../generators/run/inputs/load-templates.js";
import { loadSiteInputs } from "../../../generators/run/bundles/site-inputs.js";
import { compile } from "../../../generators/compile.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import { loadBridge } from "../../../generators/schema/bridge/load-bridge.js";
import { TARGETS } from "../../../generators/targets.js";
import { ROOT } from "../../support/paths.js";

/** Compiles the site of some profiles in memory: the text of every file by its path below `site/`. */
export async function compileSite(
  protocols: readonly Protocol[],
): Promise<ReadonlyMap<string, string>> {
  const templates = loadTemplates();
  const version = "0.0.0";
  const inputs = await loadSiteInputs(join(ROOT, "schema"), protocols, templates);
  const files = await compile(
    protocols,
    TARGETS.filter(({ name }) => name === "docs"),
    { version, bridge: loadBridge(join(ROOT, "schema"))!, ...inputs },
  );
  return new Map(files.map(({ path, text }) => [path.slice("site/".length), text]));
}
