import type { Method } from "../../model/protocol.js";
import { codeSpan, inline, type Inline } from "../../output/markup.js";
import type { PageScope } from "./page.js";
import { valueId } from "./place.js";

/** How a method fails. */
export interface ErrorsView {
  readonly sentence: Inline;
  readonly codes: readonly ErrorCodeView[];
}

export interface ErrorCodeView {
  readonly code: Inline;
  readonly title: string;
  readonly description: readonly Inline[];
  /** Whether the method's own description names it. */
  readonly named: boolean;
}

/**
 * The errors of a method. The schema lists them for all requests together;
 * those that a method's description names come first.
 */
export function errorsView(method: Method, scope: PageScope): ErrorsView {
  if (method.kind === "notification") {
    return {
      sentence: inline("A notification has no response, so its sender learns of no error."),
      codes: [],
    };
  }
  const { errors } = scope.site;
  if (errors === undefined) {
    return {
      sentence: inline("A request that fails is answered with a JSON-RPC error."),
      codes: [],
    };
  }
  const { type, codes } = errors;
  const failed = inline(
    "A request that fails is answered with an ",
    codeSpan(type, scope.toType(type)),
  );
  if (codes === undefined) return { sentence: inline(failed, "."), codes: [] };
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
    sentence: inline(failed, ". These codes are general, not particular to this method."),
    codes: [...views.filter(({ named }) => named), ...views.filter(({ named }) => !named)],
  };
}
