import * as sdk from "@agentclientprotocol/sdk";
import { METHODS, type ConnectedAgent } from "acp-bindings/v1";
import { createHandlers, type Caller, type ReceivedNotifications } from "./conversation.js";

/** The agent's methods by their names on the wire. */
export function callerOf(peer: ConnectedAgent): Caller {
  type Method = (params: unknown, options?: { signal?: AbortSignal }) => Promise<unknown>;
  const find = (name: string): Method | undefined =>
    METHODS.find(
      (method) => method.name === name && method.side === "agent",
    )?.handler.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], peer) as Method;
  return {
    keepsOrder: true,
    request: (name, params, signal) => {
      const options = signal && { signal };
      return find(name)?.(params, options) ?? peer.request(name as "_", params, options);
    },
    notify: async (name, params) => {
      await (find(name)?.(params) ?? peer.notify(name as "_", params));
    },
  };
}

/** The same handlers, registered with the official SDK. */
export function createSdkClient(notifications: ReceivedNotifications): sdk.ClientApp {
  const { handlers, extensions } = createHandlers(notifications, () =>
    sdk.RequestError.resourceNotFound("file:///missing"),
  );
  type Handler = (params: unknown, context: unknown) => unknown;
  type Register = (method: string, ...rest: unknown[]) => void;
  const app = sdk.client({ name: "interop" });
  const on: Readonly<Record<"request" | "notification", Register>> = {
    request: app.onRequest.bind(app) as unknown as Register,
    notification: app.onNotification.bind(app) as unknown as Register,
  };
  for (const { name, side, kind, handler: path } of METHODS) {
    if (side !== "client") continue;
    const handler = path.reduce<unknown>(
      (at, key) => (at as Record<string, unknown>)[key],
      handlers,
    ) as Handler;
    on[kind](name, ({ params }: { params: unknown }) => handler(params, {}));
  }
  for (const { extension, handler } of extensions) {
    on[extension.kind](
      extension.method,
      (params: unknown) => params,
      ({ params, signal }: { params: unknown; signal: AbortSignal }) =>
        (handler as Handler)(params, { signal }),
    );
  }
  return app;
}
