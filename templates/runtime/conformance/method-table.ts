import { METHODS_BY_HANDLER } from "./methods-by-handler.js";
import type { Side } from "./transcript.js";

/** The side that handles a method, and the kind of the method. */
interface Form {
  readonly handler: Side;
  readonly kind: "request" | "notification";
}

/** Returns the forms of a method in a version; empty for an unknown method. */
export function formsOf(method: string, version: 1 | 2): readonly Form[] {
  return (version === 1 ? FORMS_V1 : FORMS_V2).get(method) ?? [];
}

function readTable(version: 1 | 2): ReadonlyMap<string, readonly Form[]> {
  const forms = new Map<string, Form[]>();
  for (const [form, names] of Object.entries(METHODS_BY_HANDLER)) {
    const [handler, kind] = form.split(" ") as [Form["handler"], Form["kind"]];
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
