import { httpTransport } from "acp-bindings/remote";
import { test } from "vitest";
import { testClient } from "./client-cases.js";

testClient(test, async (url, options) => {
  const transport = httpTransport(url, options);
  const received: unknown[] = [];
  const client = {
    received,
    end: undefined as string | undefined,
    send: (message: object) => void transport.send(message)?.catch(() => {}),
    close: () => transport.close(),
  };
  transport.start({
    message: (message) => void received.push(message),
    invalid: (_, text) => void received.push(text),
    close: (error) => (client.end = error === undefined ? "" : String(error)),
  });
  return client;
});
