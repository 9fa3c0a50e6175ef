import { isOf } from "../../../schema/source/docs-source.js";
import { codeSpan, inline, jsonBlock } from "../../../output/markup.js";
import { bullets, codeExample, heading, note, paragraph, type Block } from "../parts/block.js";
import { valueId } from "../facts/anchor.js";
import type { Article, PageScope } from "../site-types.js";
import { featureBadges } from "../frame/badges.js";

export const ERRORS_PATH = "errors.html";

/** The codes of errors, and which methods say when they use them. */
export const errorsArticle: Article = {
  path: ERRORS_PATH,
  title: "Error codes",
  summary: "What each error code means, when to send it, and which methods name it.",
  group: "reference",
  blocks: (scope) => {
    const { errors } = scope.site;
    if (errors?.codes === undefined)
      return [paragraph(inline("The schema does not list the codes of errors."))];
    const { type, shape } = errors.codes;
    return [
      note(
        "Which one?",
        inline(
          "A wrong request is the sender's fault: ",
          codeSpan("-32602"),
          ". A right request that could not be carried out is ",
          codeSpan("-32603"),
          ". ",
          codeSpan("-32000"),
          " always means that the user has to authenticate, nothing else.",
        ),
      ),
      ...shape.values.flatMap(({ value, title, description, feature }): readonly Block[] => {
        const id = scope.id(`e${value}`);
        const link = scope.toType(type, valueId({ prefix: "", steps: [] }, value));
        const name = title === undefined ? "" : ` ${title}`;
        return [
          heading(id, inline(codeSpan(String(value)), name), featureBadges(feature, scope)),
          ...scope.prose(description).map(paragraph),
          paragraph(inline("A value of ", codeSpan(type, link), ".")),
          ...bullets(reasons(Number(value), scope)),
          codeExample(
            jsonBlock({ jsonrpc: "2.0", id: 7, error: { code: value, message: title ?? "Error" } }),
            inline("Response"),
          ),
        ];
      }),
    ];
  },
};

function reasons(code: number, scope: PageScope): ReturnType<typeof inline>[] {
  const { docs, methodPaths, protocol } = scope.site;
  return Object.entries(docs.errors)
    .filter(([method]) => methodPaths.has(method))
    .flatMap(([method, entries]) =>
      entries
        .filter((entry) => entry.code === code && isOf(entry, protocol.version))
        .map(({ when }) =>
          inline(codeSpan(method, scope.toMethod(method, "errors")), ": ", ...scope.prose(when)),
        ),
    );
}
