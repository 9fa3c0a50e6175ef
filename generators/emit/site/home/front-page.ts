import { languageTitle } from "../../../output/highlight.js";
import { LANGUAGES } from "../../../output/languages.js";
import { codeSpan, inline, phrase, textLink, type CodeBlock } from "../../../output/markup.js";
import { relativeUrl, userUrl, type Url } from "../../../output/url.js";
import { setUp } from "../../../output/set-up.js";
import { chunkBlocks, programTabs, rootContext } from "../articles/guides/guide-blocks.js";
import { chunksOf, type GuideExample } from "../articles/guides/guide-chunks.js";
import type { Guide } from "../articles/guides/read-guides.js";
import { profileBadges } from "../components/badges.js";
import { aboutSite, isAcp, siteTitle } from "../layout/identity.js";
import {
  bullets,
  heading,
  note,
  paragraph,
  sections,
  type Block,
  type SectionView,
} from "../blocks/block.js";
import { figure, sample, type FigureView } from "../blocks/figure.js";
import type { Site } from "../model/site.js";
import type { HeroView, RootPage } from "../root-page.js";

const PATH = "index.html";
const START = "getting-started.html";

/**
 * The front page: the protocol in short, and the ways in.
 *
 * @param own the page of the user that takes the place of its beginning
 */
export function frontPage(
  sites: readonly Site[],
  manual: readonly RootPage[],
  guides: readonly Guide[],
  own: Guide | undefined,
): RootPage {
  const first = sites[0]!;
  const { protocol, methodPaths, typePaths, settings } = first;
  const hasTurn = own === undefined && isAcp(first);
  const releases = settings.releases.map(({ title, url }) =>
    inline(textLink(title, userUrl(PATH, url))),
  );
  return {
    path: PATH,
    ...beginning(first, own),
    hero: {
      doors: own === undefined ? doors(first) : [],
      command:
        hasTurn && !first.isOwn && settings.manual
          ? figure([sample(firstCommands(first), inline("Start"))])
          : hasTurn
            ? programsOf(guides, first, "start", ({ needs }) => needs === "published")
            : undefined,
      counts: inline(
        `${methodPaths.size} methods and ${typePaths.size} types in ${protocol.title}. `,
        ...link(first, "validator.html", "Check your own messages"),
      ),
      code:
        own === undefined
          ? programsOf(guides, first, "agent", ({ use }) => /^file agent\./.test(use))
          : undefined,
      turn: hasTurn ? turn(first) : [],
    },
    blocks: [
      ...(own === undefined ? [] : ownBlocks(own, sites)),
      ...part("where", "What are you building?", isAcp(first) ? sections(readers(sites)) : []),
      heading("profiles", inline(sites.length === 1 ? "Reference" : "Versions")),
      paragraph(
        phrase`${sites.length === 1 ? "" : "A page has the same address in every version. "}Add ${codeSpan(".md")} to the address of a page for Markdown.`,
      ),
      ...sections(versions(sites)),
      ...part("tool", "Tools", sections(tools(sites, manual))),
      ...manual
        .filter(({ path }) => path === "tool/index.html")
        .map(({ path }) =>
          paragraph(
            inline(textLink(`All ${manual.length} pages of the manual`, relativeUrl(PATH, path))),
          ),
        ),
      ...part("releases", "Releases", bullets(releases)),
      ...(isAcp(first) ? [note("About this site:", aboutSite(first))] : []),
    ],
  };
}

function part(id: string, title: string, blocks: readonly Block[]): readonly Block[] {
  return blocks.length === 0 ? [] : [heading(id, inline(title)), ...blocks];
}

/** What the tool does, by task: a page of a profile, or of the manual. */
const TASKS = [
  {
    title: "Check",
    about: "See what your peer sends, and which rule it breaks.",
    pages: ["validator.html", "tool/inspect.html", "tool/conformance.html"],
  },
  {
    title: "Generate",
    about: "Get types, validators, both roles and a site from one schema.",
    pages: ["tool/command.html", "tool/imports.html", "tool/features.html"],
  },
  {
    title: "Connect versions",
    about: "Let old and new agents and editors talk.",
    pages: ["tool/bridge.html", "tool/losses.html", "migration.html"],
  },
  {
    title: "Run remotely",
    about: "Move agents and sessions to other machines.",
    pages: ["tool/remote.html", "tool/sessions.html", "tool/ship.html"],
  },
] as const;

function tools(sites: readonly Site[], manual: readonly RootPage[]): readonly SectionView[] {
  const titled = (page: string): readonly ReturnType<typeof textLink>[] => {
    const above = manual.find(({ path }) => path === page);
    if (above !== undefined) return [textLink(above.title, relativeUrl(PATH, page))];
    const owner = sites.find(({ paths }) => paths.has(page));
    const article = owner?.articles.find(({ path }) => path === page);
    return article === undefined ? [] : link(owner!, page, article.title);
  };
  return TASKS.map(({ title, about, pages }): SectionView => {
    const links = pages.flatMap(titled).map((one) => ({ link: inline(one) }));
    return { title: inline(title), about, links };
  }).filter(({ links }) => links.length > 0);
}

/** The commands that make a first project. */
function firstCommands(site: Site): CodeBlock {
  const text = [
    setUp(site.published),
    "npx acp-codegen init my-agent --starter agent",
    ...LANGUAGES.map((language) => `# in ${languageTitle(language)}: --language ${language}`),
  ].join("\n");
  return { markup: "block", language: "sh", text };
}

function beginning(first: Site, own: Guide | undefined): Pick<RootPage, "title" | "lead"> {
  if (own !== undefined) return { title: own.article.title, lead: own.article.summary };
  if (!isAcp(first) || first.settings.title !== undefined)
    return { title: siteTitle(first), lead: first.protocol.description };
  return {
    title: "Connect any editor to any coding agent",
    lead: "The Agent Client Protocol carries prompts, tool calls and permissions between the two: JSON-RPC 2.0, one message per line, in both directions.",
  };
}

function doors(first: Site): HeroView["doors"] {
  const to = (title: string, page: string, id?: string): HeroView["doors"] =>
    first.paths.has(page) ? [{ title, url: siteLink(first, page, id) }] : [];
  const start = [
    ...to("Build an agent", START, first.isOwn ? "a-first-agent" : "start-from-a-project"),
    ...to("Connect an editor", START, "a-first-client"),
  ];
  return start.length > 0 ? start : to("Methods and types", PATH);
}

/** The blocks of the user's page; its links lead to the first profile that has their page. */
function ownBlocks({ chunks }: Guide, sites: readonly Site[]): readonly Block[] {
  const context = rootContext((page, id) => {
    const target = page.replace(/\.md$/, ".html");
    if (target.startsWith("../")) return relativeUrl(PATH, target.slice("../".length), id);
    const owner = sites.find(({ paths }) => paths.has(target));
    return owner && siteLink(owner, target, id);
  });
  return chunkBlocks(chunks, context);
}

/** The same program of the guide to begin with, in every language that the site has. */
function programsOf(
  guides: readonly Guide[],
  site: Site,
  choice: string,
  isMeant: (fence: GuideExample) => boolean,
): FigureView | undefined {
  const guide = guides.find(({ article }) => article.path === START);
  return programTabs(chunksOf(guide?.examples ?? [], site).filter(isMeant), site, choice);
}

/** A turn, with what its messages say in `templates/site/demo.ndjson`. */
export const TURN = [
  {
    method: "initialize",
    isBack: false,
    about: "Agree on a version and capabilities.",
    says: "demo-editor",
  },
  {
    method: "session/new",
    isBack: false,
    about: "Open a session in a folder.",
    says: "/home/demo/notes",
  },
  {
    method: "session/prompt",
    isBack: false,
    about: "Send what the user wrote.",
    says: "Add the meeting on Friday to notes.md.",
  },
  {
    method: "session/update",
    isBack: true,
    about: "Stream text, thoughts, plans and tool calls.",
    says: "I will look at the notes first.",
  },
  {
    method: "session/request_permission",
    isBack: true,
    about: "Ask before a tool runs.",
    says: "Add a line to notes.md",
  },
  { method: "session/prompt", isBack: true, about: "Respond when it is done.", says: "end_turn" },
] as const;

function turn(site: Site): HeroView["turn"] {
  return TURN.flatMap(({ method, ...step }) => {
    const path = site.methodPaths.get(method);
    if (path === undefined) return [];
    return [{ ...step, link: inline(codeSpan(method, siteLink(site, path))) }];
  });
}

/** What a reader builds, and the pages for it: of a profile, or above the profiles. */
const READERS = [
  {
    title: "An agent",
    about: "Answer prompts, report tools, ask for consent.",
    pages: [
      [START, "Getting started"],
      ["tool/agent.html", "An agent with everything"],
      ["adapter.html", "Adapting an agent that exists"],
      ["tool-calls.html", "Tool calls"],
      ["permission.html", "Permission"],
      ["elicitation.html", "Ask the user"],
      ["modes-and-configuration.html", "Models, modes and settings"],
      ["authentication.html", "Authentication"],
      ["common-mistakes.html", "Common mistakes"],
      ["tool/ship.html", "Ship an agent"],
    ],
  },
  {
    title: "An editor",
    about: "Start agents, show their work, serve files and terminals.",
    pages: [
      [`${START}#a-first-client`, "A first client"],
      ["editor.html", "Build an editor"],
      ["tool/editor.html", "An editor with everything"],
      ["lifecycle.html", "Session lifecycle"],
      ["methods/session/update.html", "Session updates"],
      ["file-system.html", "File system"],
      ["terminals.html", "Terminals"],
      ["tool/mock.html", "Mock an agent in tests"],
      ["tool/bridge.html", "Bridge v1 and v2"],
    ],
  },
  {
    title: "An SDK or an extension",
    about: "Work from the schema, and prove that it conforms.",
    pages: [
      ["downloads.html", "Schema, OpenRPC and other downloads"],
      ["capabilities.html", "Capabilities"],
      ["rules.html", "Rules"],
      ["extending.html", "Extending the protocol"],
      ["tool/typescript-sdk.html", "Coming from the official SDK"],
      ["tool/pipeline.html", "Check generated code in CI"],
      ["tool/conformance.html", "Test any implementation"],
    ],
  },
] as const;

function readers(sites: readonly Site[]): readonly SectionView[] {
  const [first] = sites as readonly [Site];
  return READERS.map(({ title: name, about, pages }): SectionView => {
    const links = pages.flatMap(([page, title]) => {
      const [path = "", id] = page.split("#");
      const isAbove = first.manual.some((one) => one.path === path);
      if (!isAbove && !first.paths.has(path)) return [];
      const url = isAbove ? relativeUrl(PATH, path, id) : siteLink(first, path, id);
      return [{ link: inline(textLink(title, url)) }];
    });
    return { title: inline(name), badges: [], about, links };
  }).filter(({ links }) => links.length > 0);
}

function versions(sites: readonly Site[]): readonly SectionView[] {
  const names = [...new Set(sites.map(({ protocol }) => protocol.version))];
  return names.map((version): SectionView => {
    const all = sites.filter(({ protocol }) => protocol.version === version);
    const main = all.find(({ protocol }) => protocol.profile === version) ?? all[0]!;
    const { protocol, methodPaths, typePaths } = main;
    const others = all
      .filter((site) => site !== main)
      .map((site) => ({
        link: inline(textLink(site.protocol.title, siteLink(site, PATH))),
        badges: profileBadges(site),
        note: `${site.methodPaths.size} methods`,
      }));
    const changes = link(main, "migration.html", "What changes from the previous version");
    const badges = profileBadges(main);
    return {
      title: inline(textLink(protocol.title, siteLink(main, PATH))),
      badges:
        badges.length === 0 && isAcp(main) ? [{ label: inline("stable"), tone: "plain" }] : badges,
      about: `${protocol.description} ${methodPaths.size} methods, ${typePaths.size} types.`,
      links: [...others, ...changes.map((one) => ({ link: inline(one) }))],
    };
  });
}

/** A link to a page of a profile, where it has the page. */
function link(site: Site, page: string, title: string): readonly ReturnType<typeof textLink>[] {
  return site.paths.has(page) ? [textLink(title, siteLink(site, page))] : [];
}

function siteLink({ protocol }: Site, page: string, id?: string): Url {
  return relativeUrl(PATH, `${protocol.profile}/${page}`, id);
}
