import { describe, expect, test } from "vitest";
import { basename } from "node:path";
import { docs } from "../../../../generators/emit/site/docs.js";
import Handlebars from "handlebars";
import { templates, v1 } from "./small-site.js";
import { siteInputs } from "../../../support/emit-inputs.js";

describe("the templates", () => {
  const hbs = [...templates].filter(([path]) => path.endsWith(".hbs"));

  test.each(hbs)("%s has no logic and escapes everything", (_, text) => {
    expect(text).not.toMatch(/\{\{(\{|&|~?&)/);
    const { body } = Handlebars.parse(text) as unknown as { body: readonly TemplateNode[] };
    expect(logicOf(body)).toEqual([]);
  });

  test("are complete, or the missing one is named", async () => {
    for (const missing of [
      "site/assets/style.css",
      "site/pages/article.html.hbs",
      "site/pages/article.md.hbs",
    ]) {
      const rest = new Map([...templates].filter(([path]) => path !== missing));
      const inputs = siteInputs({ templates: rest });
      await expect(async () =>
        docs.emit([v1], inputs, { templates: rest, version: "0.0.0" }),
      ).rejects.toThrow(`${basename(missing)} is missing`);
    }
  });
});

interface TemplateNode {
  readonly type: string;
  readonly loc: { readonly start: { readonly line: number } };
  readonly escaped?: boolean;
  readonly params?: readonly unknown[];
  readonly hash?: unknown;
  readonly path?: { readonly original: string };
  readonly program?: { readonly body: readonly TemplateNode[] };
  readonly inverse?: { readonly body: readonly TemplateNode[] };
}

/** The lines on which a template does more than print fields, `each`, `if`, `with` and partials. */
function logicOf(body: readonly TemplateNode[]): readonly number[] {
  return body.flatMap((node) => {
    const inside = [node.program, node.inverse].flatMap((part) => logicOf(part?.body ?? []));
    const plainNode =
      node.type === "ContentStatement" ||
      node.type === "PartialStatement" ||
      node.type === "PartialBlockStatement" ||
      (node.type === "MustacheStatement" &&
        node.escaped &&
        node.params?.length === 0 &&
        node.hash === undefined) ||
      (node.type === "BlockStatement" && ["each", "if", "with"].includes(node.path!.original));
    return plainNode ? inside : [node.loc.start.line, ...inside];
  });
}
