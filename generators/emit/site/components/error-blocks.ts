import type { Method } from "../../../model/protocol.js";
import { codeSpan, inline, phrase, textLink, type Inline } from "../../../output/markup.js";
import type { Url } from "../../../output/url.js";
import { valueId } from "../model/anchor.js";
import { ERRORS_PATH, methodErrors } from "../model/method-errors.js";
import type { PageScope } from "../model/site.js";
import { paragraph, rows, type Block, type Row } from "../blocks/block.js";
import { may, row } from "./row.js";

/**
 * The errors of a method: those that the documentation lists for it and, from the codes that the
 * schema lists for all requests, those that its description names.
 */
export function errorBlocks(method: Method, scope: PageScope): readonly Block[] {
  if (method.kind === "notification") {
    const words = "A notification has no response, so its sender does not receive errors.";
    return [paragraph(inline(words), "small")];
  }
  const { errors } = scope.site;
  const own = methodErrors(method, scope.site);
  const codes = errors?.codes?.shape.values ?? [];
  const named = codes.filter(
    ({ value }) =>
      method.description.includes(`\`${value}\``) && own.every(({ code }) => code !== value),
  );
  const errorRow = (code: string | number, when: string): Row =>
    row(inline(codeSpan(String(code), codeUrl(code, scope))), {
      marks: may(codes.find(({ value }) => value === code)?.title),
      text: scope.prose(when),
    });
  const listed = [
    ...own.map(({ code, when }) => errorRow(code, when)),
    ...named.map(({ value, description }) => errorRow(value, description)),
  ];
  return [...rows(listed, "error"), paragraph(sentence(codes.length > 0, scope), "small")];
}

function sentence(hasCodes: boolean, scope: PageScope): Inline {
  const { errors } = scope.site;
  if (errors === undefined)
    return inline("If the request fails, the response is a JSON-RPC error.");
  const type = codeSpan(errors.type, scope.toType(errors.type));
  if (!hasCodes) return inline("If the request fails, the response contains an ", type, ".");
  const list = scope.toPage(ERRORS_PATH);
  const general = list === undefined ? "general codes" : textLink("general codes", list);
  return phrase`Any request may also fail with one of the ${general}. The response then contains an ${type}.`;
}

/** The description of a code: on the page of errors, else among the values of its type. */
function codeUrl(code: string | number, { site, toPage, toType }: PageScope): Url | undefined {
  const codes = site.errors?.codes;
  if (codes === undefined || codes.shape.values.every(({ value }) => value !== code))
    return undefined;
  return (
    toPage(ERRORS_PATH, `e${code}`) ?? toType(codes.type, valueId({ prefix: "", steps: [] }, code))
  );
}
