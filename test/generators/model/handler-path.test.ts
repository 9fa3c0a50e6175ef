import { expect, test } from "vitest";
import { handlerPath } from "../../../generators/model/identifiers.js";

const request = { name: "mcp/message", side: "agent", kind: "request" } as const;
const notification = { ...request, kind: "notification" } as const;

test.each([
  ["of a request", { ...request, name: "session/set_mode" }, [], "session.setMode"],
  ["of the protocol itself", { ...notification, name: "$/cancel_request" }, [], "cancelRequest"],
  ["of a request beside a notification", request, [notification], "mcp.message"],
  ["of a notification beside a request", notification, [request], "mcp.messageNotification"],
  ["of a vendor", { ...request, name: "_craft/open_panel" }, [], "craft.openPanel"],
  [
    "of a vendor with a domain",
    { ...request, name: "_my-editor.dev/workspace/open_buffers" },
    [],
    "myEditorDev.workspace.openBuffers",
  ],
  [
    "of a vendor with the name of a group of the protocol",
    { ...request, name: "_mcp/ping" },
    [{ ...request, side: "client" } as const],
    "_mcp.ping",
  ],
  ["of a vendor with the name of a call", { ...request, name: "_request" }, [], "_request"],
  ["with the name of a call", { ...request, name: "notify" }, [], "notify_"],
  [
    "of a notification beside a request of the other side",
    notification,
    [{ ...request, side: "client" } as const],
    "mcp.message",
  ],
])("the handler %s has its place in the interfaces", (_, method, others, path) => {
  expect(handlerPath(method, [method, ...others]).join(".")).toBe(path);
});
