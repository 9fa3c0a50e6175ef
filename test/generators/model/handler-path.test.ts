import { expect, test } from "vitest";
import { handlerPath } from "../../../generators/model/identifiers.js";

const request = { name: "mcp/message", side: "agent", kind: "request" } as const;
const notification = { ...request, kind: "notification" } as const;

test.each([
  ["of a request", { ...request, name: "session/set_mode" }, [], "session.setMode"],
  ["of the protocol itself", { ...notification, name: "$/cancel_request" }, [], "cancelRequest"],
  ["of a request beside a notification", request, [notification], "mcp.message"],
  ["of a notification beside a request", notification, [request], "mcp.messageNotification"],
  [
    "of a notification beside a request of the other side",
    notification,
    [{ ...request, side: "client" } as const],
    "mcp.message",
  ],
])("the handler %s has its place in the interfaces", (_, method, others, path) => {
  expect(handlerPath(method, [method, ...others]).join(".")).toBe(path);
});
