import { statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import type { SiteColor, SiteSettings } from "../../emit/inputs.js";
import { isOwnPackage } from "../../emit/package-facts.js";
import { InputError, type Problem } from "../../schema/problem.js";
import { loadDialect } from "../../schema/source/load.js";
import { readBytes } from "../../schema/source/read-bytes.js";
import { readTree, SCHEMA } from "../installation.js";
import { packageFacts } from "../inputs/package-options.js";
import { displayPath, noSuchFile, usageError } from "../messages.js";
import { isNamedSelection } from "../inputs/select-profiles.js";
import type { GenerateOptions, SiteOptions } from "../options.js";

/**
 * Loads the settings of a site with the files that they name.
 *
 * @param given the options of a run; paths are relative to the working directory
 * @throws InputError for options that it does not allow, a file that cannot be read, or a logo that
 *   is not an image
 */
export function loadSite(given: GenerateOptions): SiteSettings {
  const { site: options = {} } = given;
  const problems = loadDialect(SCHEMA)("config", { outputs: [{ site: options }] }, "site");
  if (problems.length > 0) throw new InputError(problems.map(withoutOutput), "usage");
  const { url, title, logo, home, report, colors = {}, pages, manual } = options;
  const { releases = [], links = [], image } = options;
  const isOurs = title === undefined && isNamedSelection(given);
  return {
    url: url?.replace(/\/$/, ""),
    title,
    home,
    report: reportTarget(report, isOurs),
    logo: logo === undefined ? undefined : loadLogo(logo),
    colors: new Map(Object.entries(colors).map(([name, color]) => [name, inBothModes(color)])),
    pages: pages === undefined ? new Map() : loadPages(pages),
    manual: manual ?? !isOwnPackage(packageFacts(given)),
    ...{ releases, links },
    image: image ?? (isOurs ? OWN_IMAGE : undefined),
  };
}

const OWN_IMAGE =
  "https://raw.githubusercontent.com/acp-codegen/acp-codegen/main/.github/preview.png";

/** Mistakes on the pages of our schema are ours. */
const OWN_REPORT = "https://github.com/acp-codegen/acp-codegen/issues/new?title=Site:+{page}";

function reportTarget(report: SiteOptions["report"], isOurs: boolean): string | undefined {
  if (report === false) return undefined;
  return report ?? (isOurs ? OWN_REPORT : undefined);
}

/** A configuration is checked when it is read; what is left are options of a program. */
function withoutOutput({ pointer = "", ...problem }: Problem): Problem {
  return { ...problem, pointer: pointer.replace("/outputs/0/site", "") };
}

function inBothModes(color: string | SiteColor): SiteColor {
  return typeof color === "string" ? { light: color, dark: color } : color;
}

/** Every page loads the logo. */
const MAX_LOGO_BYTES = 128 * 1024;

/** Returns a logo as an SVG document; that of a PNG file holds its bytes. */
function loadLogo(path: string): string {
  const file = displayPath(path);
  const refuse = (message: string, hint: string): InputError =>
    new InputError([{ file, message, hint }], "usage");
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw noSuchFile(file);
  const bytes = Buffer.from(readBytes(path, file));
  if (bytes.length > MAX_LOGO_BYTES)
    throw refuse(
      `has ${bytes.length} bytes, and a logo has at most ${MAX_LOGO_BYTES}`,
      "Use a smaller image.",
    );
  if (extname(path).toLowerCase() === ".png") {
    const size = pngSize(bytes);
    if (size === undefined) throw refuse("is not a PNG image", "Give an SVG or PNG file.");
    const { width, height } = size;
    const area = `width="${width}" height="${height}"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${area} viewBox="0 0 ${width} ${height}"><image ${area} href="data:image/png;base64,${bytes.toString("base64")}"/></svg>\n`;
  }
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  if (!/^\s*(<\?xml[^>]*>\s*|<!--[^]*?-->\s*|<!DOCTYPE[^>[]*>\s*)*<svg[\s>]/.test(text))
    throw refuse("is not an SVG image", "Give an SVG or PNG file.");
  if (/<script|<foreignObject|<!ENTITY|\son\w+\s*=|javascript:/i.test(text))
    throw refuse(
      "has a script, which no image runs",
      "Remove scripts, event handlers, entities and foreign objects.",
    );
  return text;
}

/** Returns the size in the header of a PNG file; undefined for other files. */
function pngSize(bytes: Buffer): { readonly width: number; readonly height: number } | undefined {
  const isPng =
    bytes.length > 24 && bytes.toString("latin1", 0, 16) === "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
  return isPng ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : undefined;
}

/** Returns the Markdown files of a folder, by the paths that messages name. */
function loadPages(folder: string): ReadonlyMap<string, string> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw usageError(`${displayPath(folder)} is not a folder`, "Name the folder with your pages.");
  const files = [...readTree(resolve(folder))].filter(([path]) => path.endsWith(".md"));
  return new Map(
    files.map(([path, text]) => [displayPath(join(folder, path)), text.replace(/^\ufeff/, "")]),
  );
}
