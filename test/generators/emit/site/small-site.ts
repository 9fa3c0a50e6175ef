import { join, posix } from "node:path";
import { expect } from "vitest";
import { docs } from "../../../../generators/emit/site/docs.js";
import { buildProtocol } from "../../../../generators/model/build/build.js";
import type { Protocol } from "../../../../generators/model/protocol.js";
import { readTemplates } from "../../../../generators/run/installation.js";
import { compose } from "../../../../generators/schema/compose.js";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import { loadDocs } from "../../../../generators/schema/source/load-docs.js";
import { loadSources } from "../../../../generators/schema/source/load-sources.js";
import type { MethodSource, ProtocolSource } from "../../../../generators/schema/source/sources.js";
import { ROOT } from "../../../support/paths.js";
import { protocolOf } from "../../schema/sources.js";
import { decodeHtml, markdownNodes } from "../markup-nodes.js";
import { siteInputs } from "../../../support/emit-inputs.js";

export const templates = readTemplates();
export const texts = loadDocs(join(ROOT, "schema"));

/** The files of a site by their path below the profile's folder. */
export async function emitSite(protocol: Protocol): Promise<ReadonlyMap<string, string>> {
  // Small protocols have none of what the texts speak of.
  const inputs = siteInputs({ templates, ...(protocol.profile !== "test" && { docs: texts }) });
  const all = await docs.emit([protocol], inputs, { templates, version: "0.0.0" });
  const prefix = `site/${protocol.profile}/`;
  const files = all.filter(({ path }) => path.startsWith(prefix));
  expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
  return new Map(files.map(({ path, text }) => [path.slice(prefix.length), text]));
}

export function protocolFrom(source: ProtocolSource, features: readonly string[] = []): Protocol {
  const profile = { name: "test", title: "Test", description: "A profile for tests." };
  return buildProtocol(compose(source, features), profile);
}

/** A site of a few definitions and methods. */
export function smallSite(
  definitions: { readonly [name: string]: JsonSchema },
  methods: readonly MethodSource[] = [],
): Promise<ReadonlyMap<string, string>> {
  return emitSite(protocolFrom(protocolOf(definitions, methods)));
}

export const sources = loadSources(join(ROOT, "schema"));

export function loadProfile(name: string): Protocol {
  const profile = sources.profiles.get(name)!;
  const protocol = sources.protocols.get(profile.protocol)!;
  return buildProtocol(compose(protocol, profile.features), profile);
}

export const EMPTY: JsonSchema = { description: "Nothing.", type: "object" };
export const v1 = loadProfile("v1");

export function attributes(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map((match) => match[1]!);
}

/** Links that lead nowhere: to a file or an id that the site does not have. */
export async function deadLinks(files: ReadonlyMap<string, string>): Promise<string[]> {
  const ids = new Map(
    [...files].map(([path, text]) => [path, new Set(attributes(text, "id"))] as const),
  );
  const dead: string[] = [];
  for (const [path, text] of files) {
    const links = path.endsWith(".md")
      ? (await markdownNodes(text)).flatMap(({ url }) => url ?? [])
      : attributes(text, "href");
    for (const link of links) {
      if (link.startsWith("https://")) continue;
      const [file, id] = link.split("#") as [string, string?];
      const target = file === "" ? path : posix.join(posix.dirname(path), file);
      // The pages above the profiles, which are made when all profiles are.
      if (target.startsWith("../")) continue;
      if (!files.has(target) || (id !== undefined && !ids.get(target)!.has(id)))
        dead.push(`${path}: ${link}`);
    }
  }
  return dead;
}

/** Text as it reads: white space does not count, control characters are replaced. */
export function visibleText(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** What the signature of a method or type says, item by item. */
export function signature(html: string): string[] {
  const [, line = ""] = /<p class="sig"[^>]*>([\s\S]*?)<\/p>/.exec(html)!;
  return line.split(/<\/span> <span(?: class="\w+")?>/).map(plain);
}

/** The words of a piece of HTML. */
export function plain(html: string): string {
  return visibleText(
    decodeHtml(html.replace(/<\/(p|li|td|th|dt|caption|span)>/g, " ").replace(/<[^>]+>/g, "")),
  );
}
