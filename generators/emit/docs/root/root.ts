import { codeSpan, inline, textLink } from "../../../output/markup.js";
import { relativeUrl } from "../../../output/url.js";
import type { EmitContext } from "../../emitter.js";
import { bullets, heading, paragraph, table } from "../block.js";
import { createRenderer, type Fillable } from "../render.js";
import type { Site } from "../site.js";
import { profileBadges } from "../status.js";
import { COMPARE_PATH } from "../compare/pairs.js";
import { comparePages } from "./compare.js";
import type { RootPage } from "./root-page.js";

const ADDRESSES = "addresses.txt";

/**
 * The files above the profiles: the front page, the comparisons, the page for
 * addresses that do not exist, and the index for language models.
 *
 * @param sites in the order of the profiles
 * @param written the paths of all files of the profiles
 */
export function rootFiles(
  sites: readonly Site[],
  written: readonly string[],
  { templates }: EmitContext,
): readonly (readonly [path: string, text: string])[] {
  const style = templates.get("docs/style.css");
  if (style === undefined) throw new Error("the template docs/style.css is missing");
  const render = createRenderer(templates);
  const print = (page: RootPage): readonly (readonly [string, string])[] => {
    const view = { path: page.path, template: "root" as const, view: rootView(page, sites) };
    return [
      [page.path, render.html(view)],
      [`${page.path}.md`, render.markdown(view)],
    ];
  };
  const compare = comparePages(sites, print);
  const files: (readonly [string, string])[] = [
    ["style.css", style],
    ...[frontPage(sites), aboutPage(sites), notFoundPage(sites)].flatMap(print),
    ...compare.files,
    ["llms.txt", rootIndex(sites, compare.pages)],
  ];
  const addresses = [
    ...written.map((path) => path.slice("site/".length)),
    ...files.map(([path]) => path),
  ];
  return [...files, [ADDRESSES, `${[...addresses, ADDRESSES].sort().join("\n")}\n`]];
}

function rootView(page: RootPage, sites: readonly Site[]): Fillable["view"] {
  return {
    frame: {
      title: page.title,
      summary: page.lead,
      stylesheet: relativeUrl(page.path, "style.css"),
      twin: relativeUrl(page.path, `${page.path}.md`),
      home: relativeUrl(page.path, "index.html"),
      profiles: sites.map((site) => ({
        title: site.protocol.title,
        url: relativeUrl(page.path, `${site.protocol.profile}/index.html`),
      })),
    },
    name: page.title,
    lead: page.lead,
    blocks: page.blocks,
  };
}

function frontPage(sites: readonly Site[]): RootPage {
  const path = "index.html";
  const first = sites[0]!;
  const to = (site: Site, target: string, text: string): ReturnType<typeof inline>[] =>
    site.paths.has(target)
      ? [inline(textLink(text, relativeUrl(path, `${site.protocol.profile}/${target}`)))]
      : [];
  return {
    path,
    title: "Agent Client Protocol",
    lead: "How editors and coding agents talk to each other: JSON-RPC 2.0, one message a line, in both directions.",
    blocks: [
      paragraph(
        inline(
          "This is the reference of the protocol. It is generated from one JSON Schema, together with TypeScript types, validators, decoders and stubs for both sides, so that what you read is what the code does.",
        ),
      ),
      heading("where", inline("Where to go")),
      ...bullets([
        ...to(first, "getting-started.html", "Getting started: a first agent and a first client"),
        ...to(first, "flows.html", "Flows: whole conversations, message by message"),
        ...to(first, "index.html", "All methods"),
        ...to(first, "capabilities.html", "Capabilities: what has to be negotiated"),
        ...to(first, "errors.html", "Error codes"),
        ...to(first, "validator.html", "Validator: check a message or a transcript"),
        ...(sites.length > 1
          ? [
              inline(
                textLink(
                  "Compare: what differs between any two profiles",
                  relativeUrl(path, COMPARE_PATH),
                ),
              ),
            ]
          : []),
      ]),
      heading("profiles", inline("Profiles")),
      paragraph(
        inline(
          "A profile is a protocol version with a set of opt-in features. Without features it is the stable protocol. Addresses are the same in every profile.",
        ),
      ),
      ...table(
        "Profiles",
        ["Profile", "What it is", "Methods", "Types"],
        sites.map((site) => {
          const { protocol, docs, typePaths, methodPaths } = site;
          const draft = docs.drafts[protocol.version];
          return {
            cells: [
              {
                lines: [
                  inline(
                    textLink(protocol.title, relativeUrl(path, `${protocol.profile}/index.html`)),
                  ),
                ],
                badges: [
                  ...(draft === undefined
                    ? []
                    : [{ label: inline("draft"), tone: "unstable" as const }]),
                  ...profileBadges(site),
                ],
              },
              inline(protocol.description),
              inline(String(methodPaths.size)),
              inline(String(typePaths.size)),
            ],
          };
        }),
      ),
      paragraph(
        inline(
          textLink("About these pages", relativeUrl(path, "about.html")),
          ": how they are made and checked.",
        ),
      ),
    ],
  };
}

function aboutPage(sites: readonly Site[]): RootPage {
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

function notFoundPage(sites: readonly Site[]): RootPage {
  const path = "404.html";
  return {
    path,
    title: "There is no such page",
    lead: "Nothing has this address. Every method, type and page is listed by name:",
    blocks: bullets(
      sites.map(({ protocol }) =>
        inline(
          textLink(`${protocol.title}, A to Z`, relativeUrl(path, `${protocol.profile}/a-z.html`)),
        ),
      ),
    ),
  };
}

function rootIndex(sites: readonly Site[], compare: readonly Omit<RootPage, "blocks">[]): string {
  const lines = sites.map(
    ({ protocol }) =>
      `- [${protocol.title}](${protocol.profile}/llms.txt): ${protocol.description}`,
  );
  const pairs = compare.map(({ title, path, lead }) => `- [${title}](${path}.md): ${lead}\n`);
  return `# Agent Client Protocol\n\n> JSON-RPC 2.0 between an editor (the client) and a coding agent, in both directions.\n\n## Profiles\n\n${lines.join("\n")}\n\n## Pages\n\n- [Front page](index.html.md)\n- [About these pages](about.html.md)\n${pairs.join("")}`;
}
