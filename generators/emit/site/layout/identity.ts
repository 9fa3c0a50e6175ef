import { phrase, textLink, type Inline, type TextLink } from "../../../output/markup.js";
import { externalUrl } from "../../../output/url.js";
import type { SiteSettings } from "../../inputs.js";
import type { Site } from "../model/site.js";

/** The title of the site that acp-codegen publishes. */
const OWN_TITLE = "ACP reference by acp-codegen";

const OFFICIAL_SITE = "https://agentclientprotocol.com";
const OFFICIAL = textLink("agentclientprotocol.com", externalUrl(OFFICIAL_SITE));

/** Returns the title of a whole site. */
export function siteTitle(first: Site): string {
  return first.settings.title ?? (isAcp(first) ? OWN_TITLE : first.protocol.title);
}

/** Returns a title with that of the user's site, where this is another one. */
export function withSiteTitle(title: string, { title: own }: SiteSettings): string {
  return own === undefined || own === title ? title : `${title} - ${own}`;
}

/** Returns whether a schema is one of the Agent Client Protocol; an imported one may be of any protocol. */
export function isAcp({ methodPaths }: Pick<Site, "methodPaths">): boolean {
  return methodPaths.has("session/prompt");
}

/** Returns whether a schema was imported, and thus is not ours. */
export function isImported({ release }: Site["protocol"]["upstream"]): boolean {
  return release === "imported";
}

/** The sentence for readers who look for the official documentation; undefined for another protocol. */
export function officialNote(site: Pick<Site, "methodPaths">): Inline | undefined {
  if (!isAcp(site)) return undefined;
  return phrase`This is not the official documentation of the Agent Client Protocol: see ${OFFICIAL}.`;
}

/** The same sentence as plain text, with the address. */
export function officialText(site: Pick<Site, "methodPaths">): string {
  return isAcp(site)
    ? `This is not the official documentation of the Agent Client Protocol: see ${OFFICIAL_SITE}.\n`
    : "";
}

/** States what a site is made from, with the places of the official texts. */
export function aboutSite({ protocol, settings }: Site): Inline {
  const notOfficial = phrase`It is not the official documentation of the Agent Client Protocol, which is at ${OFFICIAL}`;
  if (settings.title !== undefined || isImported(protocol.upstream))
    return phrase`acp-codegen generates this reference from the schema of ${protocol.title}. ${notOfficial}.`;
  const { crate: name, release } = protocol.upstream;
  const to = (title: string, address: string): TextLink => textLink(title, externalUrl(address));
  const sdks = to("official SDKs", `${OFFICIAL_SITE}/libraries/typescript`);
  const upstream = to(
    "the protocol",
    "https://github.com/agentclientprotocol/agent-client-protocol",
  );
  const ours = to("acp-codegen", "https://github.com/acp-codegen/acp-codegen");
  return phrase`acp-codegen generates this reference from its own schema, which follows release ${release} of ${name}. ${notOfficial}, with the ${sdks}. Source code: ${upstream}, ${ours}.`;
}
