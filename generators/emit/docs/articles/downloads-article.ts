import { codeSpan, inline } from "../../../output/markup.js";
import { codeExample, paragraph, table } from "../parts/block.js";
import { CHANGES_FILE } from "../changes/profile-comparison.js";
import { CHECKLIST_FILE } from "./checklist-article.js";
import type { Article } from "../site-types.js";

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
      "An OpenRPC document. `x-direction` says who sends a method, `x-stability` whether a feature adds it.",
  },
  {
    file: CHANGES_FILE,
    about:
      "How this profile differs from the stable one and from the version before, as a structural comparison.",
  },
  {
    file: CHECKLIST_FILE,
    about: "Every method with the side that handles it and whether it has to.",
  },
  { file: "llms.txt", about: "What is on this site, page by page, for language models." },
  { file: "llms-full.txt", about: "All of the pages in one Markdown file." },
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
      ["File", "What it is"],
      DOWNLOADS.map(({ file, about }) => ({
        cells: [inline(codeSpan(file, scope.toPage(file))), inline(...scope.prose(about))],
      })),
    ),
    paragraph(
      inline("Every page is there as Markdown too: its address plus ", codeSpan(".md"), "."),
    ),
    paragraph(
      inline("SHA-256 of the schema, in canonical form: ", codeSpan(scope.site.digest), "."),
    ),
    paragraph(inline("To make all of it yourself:")),
    codeExample({
      markup: "block",
      language: "sh",
      text: `npx acp-codegen generate --profile ${scope.site.protocol.profile}\nnpx acp-codegen docs --profile ${scope.site.protocol.profile}`,
    }),
  ],
};
