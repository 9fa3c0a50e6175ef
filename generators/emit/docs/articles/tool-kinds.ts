import { codeSpan, inline } from "../../../output/markup.js";
import type { Article } from "../pages/article.js";
import { note, paragraph, table } from "../parts/block.js";
import { featureBadges } from "../frame/page.js";
import { valueId } from "../facts/anchor.js";
import { valueText } from "../parts/type-code.js";

export const TOOL_KIND = "ToolKind";

/** What sort of thing a tool call does; clients choose icons and views by it. */
export const toolKindsArticle: Article = {
  path: "tool-kinds.html",
  title: "Tool kinds",
  summary:
    "What sort of thing a tool call does. Clients choose icons and views by it; it never decides what is allowed.",
  group: "reference",
  blocks: (scope) => {
    const shape = scope.site.definitions.get(TOOL_KIND)?.shape;
    if (shape?.kind !== "enum") return [];
    return [
      paragraph(inline("The values of ", codeSpan(TOOL_KIND, scope.toType(TOOL_KIND)), ".")),
      ...table(
        "Tool kinds",
        ["Kind", "Meaning"],
        shape.values.map(({ value, description, feature }) => ({
          cells: [
            inline(
              codeSpan(
                valueText(value),
                scope.toType(TOOL_KIND, valueId({ prefix: "", steps: [] }, value)),
              ),
            ),
            { lines: scope.prose(description), badges: featureBadges(feature, scope) },
          ],
        })),
      ),
      note(
        "Consent:",
        inline(
          "a kind says what to show. Whether a call may run is asked with ",
          codeSpan(
            "session/request_permission",
            scope.site.methodPaths.has("session/request_permission")
              ? scope.toMethod("session/request_permission")
              : undefined,
          ),
          ".",
        ),
      ),
    ];
  },
};
