import { join } from "node:path";
import { readTemplates } from "../../generators/cli/tool.js";
import { loadSiteInputs } from "../../generators/cli/site-inputs.js";
import { compile } from "../../generators/compile.js";
import { buildProtocol } from "../../generators/model/build.js";
import type { Protocol } from "../../generators/model/protocol.js";
import { compose } from "../../generators/schema/compose.js";
import { loadSources } from "../../generators/schema/load.js";
import { TARGETS } from "../../generators/targets.js";
import { ROOT } from "../paths.js";

const SCHEMA = join(ROOT, "schema");

/** A whole site, as `npm run docs` writes it. */
export interface CompiledSite {
  readonly protocols: readonly Protocol[];
  /** The text of every file by its path below `site/`. */
  readonly files: ReadonlyMap<string, string>;
}

/** Compiles the site of all profiles in memory. */
export async function compileSite(): Promise<CompiledSite> {
  const sources = loadSources(SCHEMA);
  const protocols = [...sources.profiles.values()].map((profile) =>
    buildProtocol(compose(sources.protocols.get(profile.protocol)!, profile.features), profile),
  );
  const templates = readTemplates();
  const version = "0.0.0";
  const files = await compile(
    protocols,
    TARGETS.filter(({ name }) => name === "docs"),
    { templates, version, ...(await loadSiteInputs(SCHEMA, protocols, templates, version)) },
  );
  return {
    protocols,
    files: new Map(files.map(({ path, text }) => [path.slice("site/".length), text])),
  };
}

/** The values of an attribute in a page. */
export function attributes(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map((match) => match[1]!);
}

/** The path of a method's page below the profile's folder. */
export function methodPage(name: string): string {
  return `methods/${name.replace("$/", "-/")}.html`;
}
