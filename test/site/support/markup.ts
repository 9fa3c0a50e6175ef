import { gzipSync } from "node:zlib";
import type { Json } from "../../../generators/schema/json-schema/json.js";
import { decodeHtml } from "../../generators/emit/markup-nodes.js";

/** The values of an attribute in a page. */
export function attributes(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map((match) => match[1]!);
}

/** The path of a method's page below the profile's folder. */
export function methodPage(name: string): string {
  return `methods/${name.replace("$/", "-/")}.html`;
}

/** The parts of a method's page that are about one kind and side each; each begins with its id. */
export function methodSections(html: string): readonly string[] {
  return html.split(/<h[12] (?=id="(?:request|notification)(?:-\d+)?")/).slice(1);
}

/** How much is sent for a text. */
export function bytes(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}

/** The words of a piece of HTML. */
export function words(html: string): string {
  return decodeHtml(html.replace(/<[^>]+>/g, ""))
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The JSON of every block of code in a page that is JSON. */
export function jsonBlocks(html: string): readonly Json[] {
  return [...html.matchAll(/<pre tabindex="0"><code>([\s\S]*?)<\/code>/g)].flatMap((match) => {
    const text = decodeHtml(match[1]!);
    return /^[[{]/.test(text) ? [JSON.parse(text) as Json] : [];
  });
}
