import { codeSpan, inline, jsonBlock, type Inline } from "../../../output/markup.js";
import {
  bullets,
  codeExample,
  heading,
  paragraph,
  paragraphs,
  subheading,
  type Block,
} from "../blocks/block.js";
import { valueId } from "../model/anchor.js";
import { ERRORS_PATH, methodErrors } from "../model/method-errors.js";
import type { Article, PageScope } from "../model/site.js";
import { featureBadges } from "../components/badges.js";

const PARSE_ERROR = -32700;

/** The codes of errors, and the methods that use them. */
export const errorsArticle: Article = {
  path: ERRORS_PATH,
  title: "Errors",
  summary: "The meaning of each error code, when to send it, and the methods that use it.",
  group: "reference",
  blocks: (scope) => {
    const { errors } = scope.site;
    if (errors?.codes === undefined)
      return [paragraph(inline("The schema does not list error codes."))];
    const { type, shape } = errors.codes;
    const codes = shape.values.flatMap(
      ({ value, title, description, feature }): readonly Block[] => {
        const id = scope.id(`e${value}`);
        const link = scope.toType(type, valueId({ prefix: "", steps: [] }, value));
        const name = title === undefined ? "" : ` ${title}`;
        return [
          subheading(id, inline(codeSpan(String(value)), name), featureBadges(feature, scope)),
          // The heading has the code already.
          ...paragraphs(scope.prose(sentence(description.replace(`${value}: `, "")))),
          paragraph(inline("A value of ", codeSpan(type, link), ".")),
          ...bullets(reasons(Number(value), scope)),
          codeExample(
            jsonBlock({
              jsonrpc: "2.0",
              // JSON-RPC 2.0 section 5: the id of text that is not JSON cannot be read.
              id: value === PARSE_ERROR ? null : 7,
              error: { code: value, message: title ?? "Error" },
            }),
            inline("Response"),
          ),
        ];
      },
    );
    return [heading(scope.id("codes"), inline("Codes")), ...codes];
  },
};

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function reasons(code: number, scope: PageScope): readonly Inline[] {
  return scope.site.protocol.methods.flatMap((method) =>
    methodErrors(method, scope.site)
      .filter((entry) => entry.code === code)
      .map(({ when }) => {
        const link = codeSpan(method.name, scope.toMethod(method.name, "errors"));
        return inline(link, ": ", ...scope.prose(when));
      }),
  );
}
