import { codeSpan, inline } from "../../../output/markup.js";
import { setUp } from "../../../output/set-up.js";
import { codeExample, paragraph, table, type Block } from "../blocks/block.js";
import { CHANGES_FILE } from "../changes/profile-comparison.js";
import { CHECKLIST_FILE } from "./checklist-article.js";
import type { Article, Site } from "../model/site.js";

/** The files for programs, each with its purpose. */
export const DOWNLOADS: readonly { readonly file: string; readonly about: string }[] = [
  {
    file: "schema.json",
    about:
      "The schema of this profile as plain JSON Schema 2020-12, in the format of the published one.",
  },
  {
    file: "meta.json",
    about:
      "The names of the methods by the side that handles them, in the format of the published file.",
  },
  {
    file: "openrpc.json",
    about:
      "An OpenRPC document. `x-direction` names the sender of a method, `x-stability` the status of a feature that adds it.",
  },
  {
    file: CHANGES_FILE,
    about: "The structural differences from the stable profile and from the previous version.",
  },
  {
    file: CHECKLIST_FILE,
    about: "Every method with the side that handles it and its obligation.",
  },
  { file: "llms.txt", about: "An index of the pages, for language models." },
  {
    file: "llms-small.txt",
    about: "The guides and methods in one Markdown file that fits into a context.",
  },
  { file: "llms-full.txt", about: "All pages in one Markdown file." },
];

/** The files for programs. */
export const downloadsArticle: Article = {
  path: "downloads.html",
  title: "Downloads",
  summary: "The schema and this site as data, for programs and language models.",
  group: "tools",
  blocks: (scope) => [
    ...table(
      "Files",
      ["File", "Contents"],
      DOWNLOADS.map(({ file, about }) => ({
        cells: [inline(codeSpan(file, scope.toPage(file))), inline(...scope.prose(about))],
      })),
    ),
    paragraph(inline("Add ", codeSpan(".md"), " to the address of a page for Markdown.")),
    paragraph(
      inline("SHA-256 of the schema, in canonical form: ", codeSpan(scope.site.digest), "."),
    ),
    ...(scope.site.isOwn ? [] : commands(scope.site)),
  ],
};

function commands({ published, protocol }: Site): readonly Block[] {
  const runs = ["generate", "docs"].map((name) => `npx acp-codegen ${name} ${protocol.flags}`);
  const text = [setUp(published), ...runs].join("\n");
  return [
    paragraph(inline("To generate all of it:")),
    codeExample({ markup: "block", language: "sh", text }),
  ];
}
