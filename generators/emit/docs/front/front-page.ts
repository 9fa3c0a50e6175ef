import { inline, textLink, type Inline } from "../../../output/markup.js";
import { relativeUrl } from "../../../output/url.js";
import { cards, diagramBlock, heading, paragraph, table, type CardView } from "../parts/block.js";
import { profileBadges } from "../frame/badges.js";
import { drawDiagram, type DiagramMessage } from "../diagrams/diagram.js";
import type { RootPage } from "./root-page.js";
import type { Site } from "../site-types.js";

const PATH = "index.html";

/** The front page: the protocol in short, and links. */
export function frontPage(sites: readonly Site[], manual: readonly RootPage[]): RootPage {
  const first = sites[0]!;
  const last = sites.findLast(({ protocol }) => protocol.profile === protocol.version) ?? first;
  return {
    path: PATH,
    title: "Agent Client Protocol",
    lead: "How an editor and a coding agent talk to each other: JSON-RPC 2.0, one message a line, in both directions.",
    blocks: [
      ...conversation(first),
      paragraph(
        inline(
          "The editor, called the client, starts the agent as a program and sends it prompts. The agent tells what it does, asks for permission, and uses the files and terminals of the editor. With the protocol between them, every editor works with every agent.",
        ),
      ),
      paragraph(
        inline(
          "This is its reference: every method and type, with examples, rules and a validator. All of it is generated from one JSON Schema, together with TypeScript types, validators, decoders and stubs for both sides, so that what you read is what the code does.",
        ),
      ),
      heading("where", inline("Where to go")),
      ...cards([
        ...card(
          first,
          "getting-started.html",
          "Getting started",
          "A first agent and a first client that talk to each other.",
        ),
        ...card(first, "flows.html", "Flows", "Whole conversations, message by message."),
        ...card(
          first,
          "index.html",
          "Methods and types",
          "Everything that can be said, by who says it.",
        ),
        ...card(
          first,
          "capabilities.html",
          "Capabilities",
          "What has to be negotiated before it may be used.",
        ),
        ...card(
          first,
          "lifecycle.html",
          "Session lifecycle",
          "The states of a session, and what leads from one to the next.",
        ),
        ...card(first, "rules.html", "Rules", "How to behave, with reasons and examples."),
        ...card(
          first,
          "adapter.html",
          "Adapting an agent",
          "From the stream of an agent that exists to the messages of the protocol.",
        ),
        ...card(
          first,
          "validator.html",
          "Validator",
          "Paste a message or a transcript and see what is wrong with it.",
        ),
        ...(last === first
          ? []
          : card(
              last,
              "changes.html",
              `What ${last.protocol.title} changes`,
              "Added, removed and changed since the version before.",
            )),
      ]),
      ...(manual.length > 0
        ? [
            heading("tool", inline("The tool")),
            ...cards(
              manual.map(({ path, title, lead }) => ({
                link: inline(textLink(title, relativeUrl(PATH, path))),
                summary: inline(lead),
              })),
            ),
          ]
        : []),
      heading("profiles", inline("Profiles")),
      paragraph(
        inline(
          "A profile is a protocol version with a set of opt-in features. Without features it is the stable protocol. Addresses are the same in every profile, and every page is there as Markdown too, at its address plus .md.",
        ),
      ),
      ...profiles(sites),
    ],
  };
}

/** A way into a profile, where it has the page. */
function card(site: Site, page: string, title: string, about: string): readonly CardView[] {
  if (!site.paths.has(page)) return [];
  const url = relativeUrl(PATH, `${site.protocol.profile}/${page}`);
  return [{ link: inline(textLink(title, url)), summary: inline(about) }];
}

/** The messages of a turn that need no reader's knowledge, where the protocol has them. */
const TURN: readonly {
  readonly method: string;
  readonly label: string;
  readonly forward: boolean;
}[] = [
  { method: "initialize", label: "initialize", forward: true },
  { method: "session/new", label: "session/new", forward: true },
  { method: "session/prompt", label: "session/prompt", forward: true },
  { method: "session/update", label: "session/update: thoughts, text, tools", forward: false },
  { method: "session/request_permission", label: "session/request_permission", forward: false },
  { method: "session/update", label: "session/update: the answer", forward: false },
];

function conversation({ methodPaths }: Site): readonly ReturnType<typeof diagramBlock>[] {
  const messages = TURN.filter(({ method }) => methodPaths.has(method)).map(
    ({ label, forward }): DiagramMessage => ({ label, forward, isAnswer: false }),
  );
  if (messages.length < TURN.length) return [];
  const title =
    "A conversation in short: the client initializes the agent, opens a session and sends a prompt; the agent sends updates, asks for permission and sends more updates.";
  return [diagramBlock(drawDiagram("turn", title, { from: "client", to: "agent" }, messages))];
}

function profiles(sites: readonly Site[]): ReturnType<typeof table> {
  return table(
    "Profiles",
    ["Profile", "What it is", "Methods", "Types"],
    sites.map((site) => {
      const { protocol, docs, typePaths, methodPaths } = site;
      const name: Inline = inline(
        textLink(protocol.title, relativeUrl(PATH, `${protocol.profile}/index.html`)),
      );
      const isDraft = docs.drafts[protocol.version] !== undefined;
      return {
        cells: [
          {
            lines: [name],
            badges: [
              ...(isDraft ? [{ label: inline("draft"), tone: "unstable" as const }] : []),
              ...profileBadges(site),
            ],
          },
          inline(protocol.description),
          inline(String(methodPaths.size)),
          inline(String(typePaths.size)),
        ],
      };
    }),
  );
}
