import { inline, prose, textLink, type Inline } from "../../../output/markup.js";
import { createNames, relativeUrl, userUrl } from "../../../output/url.js";
import { chunkBlocks } from "../articles/guides/guide-blocks.js";
import type { Guide } from "../articles/guides/read-guides.js";
import { aboutSite, isAcp, siteTitle } from "../frame/identity.js";
import {
  bullets,
  cards,
  codeExample,
  diagramBlock,
  heading,
  note,
  paragraph,
  table,
  type Block,
  type CardView,
} from "../parts/block.js";
import { profileBadges } from "../frame/badges.js";
import { drawDiagram, type DiagramMessage } from "../diagrams/diagram.js";
import type { RootPage } from "./root-page.js";
import type { Site } from "../site-types.js";

const PATH = "index.html";

/**
 * The front page: the protocol in short, and links.
 *
 * @param own the page of the user that takes the place of its beginning
 */
export function frontPage(
  sites: readonly Site[],
  manual: readonly RootPage[],
  own: Guide | undefined,
): RootPage {
  const first = sites[0]!;
  const start = beginning(first, sites, own);
  const last = sites.findLast(({ protocol }) => protocol.profile === protocol.version) ?? first;
  return {
    path: PATH,
    ...start,
    blocks: [
      ...start.blocks,
      ...(isAcp(first) ? [note("About this site:", aboutSite(first))] : []),
      heading("where", inline("Start here")),
      ...cards([
        ...card(first, "getting-started.html", "Getting started", "A first agent and client."),
        ...card(
          first,
          "index.html",
          "Methods and types",
          "Every method and type, grouped by sender.",
        ),
        ...card(first, "flows.html", "Flows", "Whole conversations, message by message."),
        ...card(first, "sessions.html", "Sessions", "Initialize, begin, prompt, continue and end."),
        ...card(
          first,
          "tool-calls.html",
          "Tool calls",
          "How an agent reports the tools that it runs.",
        ),
        ...card(
          first,
          "transports.html",
          "Transports",
          "Lines, encoding, and the end of a connection.",
        ),
        ...card(first, "extending.html", "Extending", "Data and methods of your own."),
        ...card(
          first,
          "capabilities.html",
          "Capabilities",
          "Optional parts, and how to advertise them.",
        ),
        ...card(
          first,
          "common-mistakes.html",
          "Common mistakes",
          "Invalid messages and their correction.",
        ),
        ...card(first, "rules.html", "Rules", "Required behavior, with reasons and examples."),
        ...card(first, "validator.html", "Validator", "Check a message or a transcript."),
        ...(last === first
          ? []
          : card(
              last,
              "migration.html",
              `From ${first.protocol.title} to ${last.protocol.title}`,
              "Messages before and after, and checklists.",
            )),
      ]),
      ...(manual.length > 0
        ? [
            heading("tool", inline("The compiler")),
            ...cards(
              manual.map(({ path, title, lead }) => ({
                link: inline(textLink(title, relativeUrl(PATH, path))),
                summary: inline(lead),
              })),
            ),
          ]
        : []),
      heading("profiles", inline("Profiles")),
      paragraph(inline(profilesText(sites))),
      ...profiles(sites),
      ...releases(first),
    ],
  };
}

function profilesText(sites: readonly Site[]): string {
  const markdown = "Add .md to the address of a page for Markdown.";
  if (sites.length === 1) return markdown;
  const [{ protocol }] = sites as readonly [Site, ...Site[]];
  return `A profile is a protocol version with a set of opt-in features. Use ${protocol.title} unless you need a feature or a later version. A page has the same address in every profile. ${markdown}`;
}

/** The title, the lead and the first blocks. */
function beginning(
  first: Site,
  sites: readonly Site[],
  own: Guide | undefined,
): Pick<RootPage, "title" | "lead" | "blocks"> {
  const { protocol } = first;
  if (own !== undefined) {
    const { title, summary } = own.article;
    return { title, lead: summary, blocks: ownBlocks(own, sites) };
  }
  if (!isAcp(first)) return { title: siteTitle(first), lead: protocol.description, blocks: [] };
  return {
    title: siteTitle(first),
    lead: "The Agent Client Protocol connects editors with coding agents: JSON-RPC 2.0 in both directions.",
    blocks: [
      ...conversation(first),
      paragraph(
        inline(
          "The editor is the client: it starts the agent as a program and sends prompts. The agent reports progress, asks for permission, and reads files and runs commands through the editor. An editor that speaks the protocol works with every agent that does.",
        ),
      ),
      paragraph(
        inline(
          "This reference describes every method and type, with examples, rules and a validator. It is generated from the same JSON Schema as the TypeScript types, validators, decoders and stubs for both sides.",
        ),
      ),
    ],
  };
}

/** The blocks of the user's page; its links lead to the first profile that has their page. */
function ownBlocks({ chunks }: Guide, sites: readonly Site[]): readonly Block[] {
  return chunkBlocks(chunks, {
    named: (line) => line,
    prose: (line) => prose(line, () => undefined),
    toPage: (page, id) => {
      const target = page.replace(/\.md$/, ".html");
      if (target.startsWith("../")) return relativeUrl(PATH, target.slice("../".length), id);
      const owner = sites.find(({ paths }) => paths.has(target));
      return owner && relativeUrl(PATH, `${owner.protocol.profile}/${target}`, id);
    },
    id: createNames(".", "exact"),
    fence: ({ language, text }) => [codeExample({ markup: "block", language, text })],
  });
}

/** The links to earlier releases of the site. */
function releases({ settings }: Site): readonly Block[] {
  if (settings.releases.length === 0) return [];
  return [
    heading("releases", inline("Releases")),
    ...bullets(
      settings.releases.map(({ title, url }) => inline(textLink(title, userUrl(PATH, url)))),
    ),
  ];
}

/** A way into a profile, where it has the page. */
function card(site: Site, page: string, title: string, about: string): readonly CardView[] {
  if (!site.paths.has(page)) return [];
  const url = relativeUrl(PATH, `${site.protocol.profile}/${page}`);
  return [{ link: inline(textLink(title, url)), summary: inline(about) }];
}

/** The messages of a turn that need no reader's knowledge, where the protocol has them. */
const TURN: readonly DiagramMessageOf[] = [
  { method: "initialize", label: "initialize", forward: true },
  { method: "initialize", label: "result", forward: false, isAnswer: true },
  { method: "session/new", label: "session/new", forward: true },
  { method: "session/new", label: "result", forward: false, isAnswer: true },
  { method: "session/prompt", label: "session/prompt", forward: true },
  { method: "session/update", label: "session/update: thoughts, text, tools", forward: false },
  { method: "session/request_permission", label: "session/request_permission", forward: false },
  { method: "session/request_permission", label: "result", forward: true, isAnswer: true },
  { method: "session/update", label: "session/update: the agent's message", forward: false },
  { method: "session/prompt", label: "result", forward: false, isAnswer: true },
];

interface DiagramMessageOf {
  readonly method: string;
  readonly label: string;
  readonly forward: boolean;
  readonly isAnswer?: true;
}

function conversation({ methodPaths }: Site): readonly ReturnType<typeof diagramBlock>[] {
  const messages = TURN.filter(({ method }) => methodPaths.has(method)).map(
    ({ label, forward, isAnswer = false }): DiagramMessage => ({ label, forward, isAnswer }),
  );
  if (messages.length < TURN.length) return [];
  const title =
    "A short conversation: the client initializes the agent, opens a session and sends a prompt; the agent sends updates, asks for permission, sends more updates and responds to the prompt.";
  return [diagramBlock(drawDiagram("turn", title, { from: "client", to: "agent" }, messages))];
}

function profiles(sites: readonly Site[]): ReturnType<typeof table> {
  return table(
    "Profiles",
    ["Profile", "Contents", "Methods", "Types"],
    sites.map((site) => {
      const { protocol, typePaths, methodPaths } = site;
      const name: Inline = inline(
        textLink(protocol.title, relativeUrl(PATH, `${protocol.profile}/index.html`)),
      );
      return {
        cells: [
          {
            lines: [name],
            badges: profileBadges(site),
          },
          inline(protocol.description),
          inline(String(methodPaths.size)),
          inline(String(typePaths.size)),
        ],
      };
    }),
  );
}
