import { METHODS_BY_HANDLER } from "./methods-by-handler.js";
import { otherSide, type Side } from "./transcript.js";

/** The side that handles a method, and the kind of the method. */
export interface MethodForm {
  readonly handler: Side;
  readonly kind: "request" | "notification";
}

/** A method that was sent. */
export interface Sent {
  readonly method: string;
  readonly kind: MethodForm["kind"];
  readonly from: Side;
}

/**
 * Explains why a method may not be sent by this side in this form; undefined when it may be, or
 * when it has no known form.
 */
export function explainForm(
  { method, kind, from }: Sent,
  forms: readonly MethodForm[],
): string | undefined {
  const possible = forms.filter(({ handler }) => handler === otherSide(from));
  if (forms.length === 0 || possible.some((form) => form.kind === kind)) return undefined;
  if (possible.length === 0) return `the ${from} handles ${method} and does not send it`;
  return kind === "request"
    ? `${method} is a notification, which is sent without an id`
    : `${method} is a request, which is sent with an id`;
}

/** Returns the forms of a method in a version; empty for an unknown method. */
export function formsOf(method: string, version: 1 | 2): readonly MethodForm[] {
  return (version === 1 ? FORMS_V1 : FORMS_V2).get(method) ?? [];
}

function readTable(version: 1 | 2): ReadonlyMap<string, readonly MethodForm[]> {
  const forms = new Map<string, MethodForm[]>();
  for (const [form, names] of Object.entries(METHODS_BY_HANDLER)) {
    const [handler, kind] = form.split(" ") as [MethodForm["handler"], MethodForm["kind"]];
    for (const marked of names.split(" ")) {
      const [name, only] = marked.split(":").reverse() as [string, string?];
      if (only !== undefined && Number(only) !== version) continue;
      forms.set(name, [...(forms.get(name) ?? []), { handler, kind }]);
    }
  }
  return forms;
}

const FORMS_V1 = /* @__PURE__ */ readTable(1);
const FORMS_V2 = /* @__PURE__ */ readTable(2);

/** Returns whether any side may send a method: those of JSON-RPC and of proxies. */
export function isFree(method: string): boolean {
  return method.startsWith("$/") || method.startsWith("proxy/");
}
