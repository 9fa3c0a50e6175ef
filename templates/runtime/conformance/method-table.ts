import type { Side } from "./transcript.js";

/** The methods by handling side and kind. A prefix marks methods of a single version. */
const TABLE: { readonly [form: string]: string } = {
  "agent request": `initialize session/new session/list session/resume session/delete session/close
    session/set_config_option session/prompt auth/status providers/list providers/set
    providers/disable nes/start nes/suggest nes/close session/archive session/unarchive
    session/fork session/set_title session/status 1:authenticate 1:logout 1:session/load
    1:session/set_mode 2:auth/login 2:auth/logout 2:tool_call/cancel 2:terminal/cancel`,
  "agent notification": `session/cancel mcp/message document/didOpen document/didChange
    document/didClose document/didSave document/didFocus nes/accept nes/reject`,
  "client request": `session/request_permission elicitation/create mcp/message
    1:fs/read_text_file 1:fs/write_text_file 1:terminal/create 1:terminal/output
    1:terminal/release 1:terminal/wait_for_exit 1:terminal/kill`,
  "client notification": "session/update elicitation/complete auth/status_update",
};

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
  for (const [form, names] of Object.entries(TABLE)) {
    const [handler, kind] = form.split(" ") as [Form["handler"], Form["kind"]];
    for (const marked of names.split(/\s+/)) {
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
