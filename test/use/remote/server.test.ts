import type { Transport } from "acp-bindings";
import { test } from "vitest";
import { agent, startRemote } from "./remote-agent.js";
import { testServer } from "./server-cases.js";

testServer(
  test,
  async ({ agent: kind, allowedOrigins, authenticate, maxBufferedBytes, ...options }) => {
    const counts = { opened: 0, ended: 0, error: 0 };
    const fail = (): never => {
      throw new Error("secret");
    };
    const { port, handler, stop } = await startRemote({
      serve: (transport) => {
        if (kind === "fails") fail();
        counts.opened++;
        const connection = kind === "silent" ? silent(transport) : agent.connect(transport);
        void connection.closed.then(() => counts.ended++);
        return connection;
      },
      challenge: "Bearer x",
      ...(allowedOrigins && {
        allowedOrigins: allowedOrigins[0] === "*" ? ("*" as const) : allowedOrigins,
      }),
      onError: () => counts.error++,
      ...(authenticate === "token" && {
        authenticate: ({ headers }) => headers.get("Authorization")?.replace(/^Bearer ?/, ""),
      }),
      ...(authenticate === "fails" && { authenticate: fail }),
      ...(maxBufferedBytes !== undefined && { maxBufferedLength: maxBufferedBytes }),
      ...options,
    });
    return {
      port,
      count: () => ({ ...counts }),
      drain: (time) => handler.drain(time),
      stop,
    };
  },
);

/** An agent that never answers. */
function silent(transport: Transport) {
  const closed = new Promise<void>((close) =>
    transport.start({ message: () => {}, invalid: () => {}, close }),
  );
  return { closed };
}
