import { expect, test } from "vitest";
import { readMessage } from "../../../../templates/typescript/runtime/remote/server/read-message.js";

test("a body that takes too long is refused, however it trickles in", async () => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (!isCancelled) controller.enqueue(new Uint8Array([0x20]));
    },
    cancel: () => void (isCancelled = true),
  });
  const headers = { "Content-Type": "application/json" };
  const init: RequestInit = { method: "POST", headers, body };
  const request = new Request("http://localhost/", { ...init, duplex: "half" } as RequestInit);
  expect(await readMessage(request, 1000, { left: 4000 }, 100)).toMatchObject({ status: 408 });
  expect(isCancelled).toBe(true);
});
