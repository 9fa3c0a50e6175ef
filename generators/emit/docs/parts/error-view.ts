import type { Method } from "../../../model/protocol.js";
import { codeSpan, inline, textLink, type Inline } from "../../../output/markup.js";
import type { Url } from "../../../output/url.js";
import { ERRORS_PATH } from "../articles/errors-article.js";
import { valueId } from "../facts/anchor.js";
import { methodErrors } from "../facts/method-errors.js";
import type { PageScope } from "../site-types.js";

/** The errors of a method. */
export interface ErrorsView {
  readonly rows: readonly ErrorView[];
  readonly sentence: Inline;
}

interface ErrorView {
  readonly code: Inline;
  readonly title: string;
  readonly when: readonly Inline[];
}

/**
 * The errors of a method: those that the documentation lists for it and, from the codes that the
 * schema lists for all requests, those that its description names.
 */
export function errorsView(method: Method, scope: PageScope): ErrorsView {
  if (method.kind === "notification") {
    const sentence = "A notification has no response, so its sender does not receive errors.";
    return { rows: [], sentence: inline(sentence) };
  }
  const { errors } = scope.site;
  const own = methodErrors(method, scope.site);
  const codes = errors?.codes?.shape.values ?? [];
  const named = codes.filter(
    ({ value }) =>
      method.description.includes(`\`${value}\``) && own.every(({ code }) => code !== value),
  );
  const row = (code: string | number, when: string): ErrorView => ({
    code: inline(codeSpan(String(code), codeUrl(code, scope))),
    title: codes.find(({ value }) => value === code)?.title ?? "",
    when: scope.prose(when),
  });
  return {
    rows: [
      ...own.map(({ code, when }) => row(code, when)),
      ...named.map(({ value, description }) => row(value, description)),
    ],
    sentence: sentence(codes.length > 0, scope),
  };
}

function sentence(hasCodes: boolean, scope: PageScope): Inline {
  const { errors } = scope.site;
  if (errors === undefined)
    return inline("If the request fails, the response is a JSON-RPC error.");
  const type = codeSpan(errors.type, scope.toType(errors.type));
  if (!hasCodes) return inline("If the request fails, the response contains an ", type, ".");
  const list = scope.toPage(ERRORS_PATH);
  const general = "general codes";
  return inline(
    "Any request may also fail with one of the ",
    list === undefined ? general : textLink(general, list),
    ". The response then contains an ",
    type,
    ".",
  );
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
