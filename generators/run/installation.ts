import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withSetUp } from "../output/set-up.js";
import { withLf } from "../output/text.js";

/** The folder that holds `schema/`, `templates/` and the package manifest; two above this file. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The canonical schema that comes with the tool. */
export const SCHEMA = join(ROOT, "schema");

/** The projects that `init` copies, a folder each, and the configuration that it writes. */
export const STARTERS = join(ROOT, "templates/starters");

/**
 * Whether the registries have acp-codegen and its packages. Until then, no text
 * or message may contain a command that takes these names from a registry.
 */
export const PUBLISHED: boolean = false;

/** The license, and the text of every file below `templates/` that output is made from, by its path there. */
export function readTemplates(published = PUBLISHED): ReadonlyMap<string, string> {
  const templates = [...readTree(join(ROOT, "templates"))];
  const license = withLf(readFileSync(join(ROOT, "LICENSE"), "utf8"));
  return new Map([
    ["LICENSE", license],
    ...templates
      .filter(([path]) => !path.startsWith("starters/"))
      .map(([path, text]): [string, string] => [path, withSetUp(text, published)]),
  ]);
}

/** The text of every file below a folder, by its path there with `/`, sorted; with LF line ends, whatever the checkout made of them. */
export function readTree(folder: string): ReadonlyMap<string, string> {
  // Names instead of entries: within an archive of Yarn, entries do not say where they are.
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
  const texts = paths.map((path): [string, string] => [
    path.replaceAll("\\", "/"),
    withLf(readFileSync(join(folder, path), "utf8")),
  ]);
  return new Map(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The version in the tool's own package manifest. */
export function toolVersion(): string {
  return (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string })
    .version;
}
