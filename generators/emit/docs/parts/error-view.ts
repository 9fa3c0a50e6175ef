import type { Method } from "../../../model/protocol.js";
import { codeSpan, inline, type Inline } from "../../../output/markup.js";
import { ERRORS_PATH } from "../articles/errors-article.js";
import { valueId } from "../facts/anchor.js";
import { methodErrors } from "../facts/method-errors.js";
import type { PageScope } from "../site-types.js";

/** The errors of a method. */
export interface ErrorsView {
  /** Errors that the documentation lists for this method. */
  readonly own: readonly OwnErrorView[];
  readonly sentence: Inline;
  /** Whether the list of codes is unfolded, because the method has no errors of its own. */
  readonly open: boolean;
  readonly codes: readonly ErrorCodeView[];
}

export interface OwnErrorView {
  readonly code: Inline;
  readonly title: string;
  readonly when: readonly Inline[];
}

export interface ErrorCodeView {
  readonly code: Inline;
  readonly title: string;
  readonly description: readonly Inline[];
  /** Whether the description of the method names it. */
  readonly named: boolean;
}

/**
 * The errors of a method. The schema lists them for all requests together;
 * those that a method's description names come first.
 */
export function errorsView(method: Method, scope: PageScope): ErrorsView {
  if (method.kind === "notification") {
    return {
      own: [],
      sentence: inline("A notification has no response, so its sender does not receive errors."),
      open: true,
      codes: [],
    };
  }
  const { errors } = scope.site;
  const own = ownErrors(method, scope);
  if (errors === undefined) {
    return {
      own,
      sentence: inline("If the request fails, the response is a JSON-RPC error."),
      open: true,
      codes: [],
    };
  }
  const { type, codes } = errors;
  const failed = inline(
    "If the request fails, the response contains an ",
    codeSpan(type, scope.toType(type)),
  );
  if (codes === undefined) return { own, sentence: inline(failed, "."), open: true, codes: [] };
  const views = codes.shape.values.map(({ value, title, description }): ErrorCodeView => {
    const url = scope.toType(codes.type, valueId({ prefix: "", steps: [] }, value));
    return {
      code: inline(codeSpan(String(value), url)),
      title: title ?? "",
      description: scope.prose(description),
      named: method.description.includes(`\`${value}\``),
    };
  });
  return {
    own,
    sentence: inline(failed, "."),
    open: own.length === 0,
    codes: [...views.filter(({ named }) => named), ...views.filter(({ named }) => !named)],
  };
}

/** The errors of a method, each with its reason. */
function ownErrors(method: Method, scope: PageScope): readonly OwnErrorView[] {
  const { errors } = scope.site;
  return methodErrors(method, scope.site).map(({ code, when }) => {
    const known = errors?.codes?.shape.values.find(({ value }) => value === code);
    const url = known && scope.toPage(ERRORS_PATH, `e${code}`);
    return {
      code: inline(codeSpan(String(code), url)),
      title: known?.title ?? "",
      when: scope.prose(when),
    };
  });
}
