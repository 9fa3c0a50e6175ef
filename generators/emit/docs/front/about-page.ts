import { codeSpan, inline } from "../../../output/markup.js";
import { bullets, heading, paragraph, table } from "../parts/block.js";
import type { Site } from "../site.js";
import type { RootPage } from "./root-page.js";

/** How the site is made, what is checked, and how its addresses work. */
export function aboutPage(sites: readonly Site[]): RootPage {
  return {
    path: "about.html",
    title: "About these pages",
    lead: "How this site is made, what is checked, and how its addresses work.",
    blocks: [
      heading("made", inline("How it is made")),
      paragraph(
        inline(
          "One command, ",
          codeSpan("npm run docs"),
          ", composes each profile from the schema and fills templates. Nothing is fetched, no page asks another host for anything, and two builds of the same sources have the same bytes.",
        ),
      ),
      heading("addresses", inline("Addresses")),
      ...bullets([
        inline(
          codeSpan("<profile>/methods/<name>.html"),
          ": the page of a method, by its name on the wire. ",
          codeSpan("$/"),
          " is written ",
          codeSpan("-/"),
          ".",
        ),
        inline(
          codeSpan("<profile>/types/<Name>.html"),
          ": the page of a type. Its parts are ",
          codeSpan("#field-<name>"),
          ", ",
          codeSpan("#variant-<tag>"),
          " and ",
          codeSpan("#value-<value>"),
          ".",
        ),
        inline(
          codeSpan("compare/<from>/<to>.html"),
          ": what is different between two profiles, and whom it breaks.",
        ),
        inline("An address never goes away: what is removed leaves a page that says where to go."),
        inline("Every page is there as Markdown, at its address plus ", codeSpan(".md"), "."),
      ]),
      heading("from", inline("What it follows")),
      ...table(
        "Sources",
        ["Profile", "Release", "SHA-256 of the schema"],
        sites.map(({ protocol, digest }) => ({
          cells: [
            inline(protocol.profile),
            inline(`${protocol.upstream.package} ${protocol.upstream.release}`),
            inline(codeSpan(digest)),
          ],
        })),
      ),
    ],
  };
}
