import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get, OutgoingMessage, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { servePage } from "../../../generators/run/live/page-server.js";
import { agent, start } from "../../../templates/conformance/transcript-builder.js";

const folder = mkdtempSync(join(tmpdir(), "acp-live-page-"));
const path = join(folder, "live.ndjson");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const line = (record: object): string =>
  `${JSON.stringify({ time: "2026-01-01T00:00:00.000Z", ...record })}\n`;

/** Writes a recording of about 2 MB that has ended. */
function writeRecording(): void {
  const text = "x".repeat(2000);
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  const chunk = agent.notify("session/update", { sessionId: "s", update });
  const end = { from: "agent", kind: "exit", code: 0 };
  writeFileSync(
    path,
    [{ recording: 1 }, ...start(1), ...Array(1000).fill(chunk), end].map(line).join(""),
  );
}

test.each(["127.0.0.2", "::1"])("the live page is not served on %s", async (host) => {
  writeRecording();
  const server = await servePage({ path });
  const socket = connect({ host, port: Number(new URL(server.url).port) });
  try {
    await expect(once(socket, "connect")).rejects.toThrow();
  } finally {
    socket.destroy();
    await server.close();
  }
});

test("the live page writes no faster than its reader reads", async () => {
  writeRecording();
  const server = await servePage({ path });
  const { write } = OutgoingMessage.prototype;
  const early: boolean[] = [];
  const spy = vi.spyOn(OutgoingMessage.prototype, "write").mockImplementation(function (
    this: OutgoingMessage,
    text: string,
  ) {
    if (text.startsWith("event: entries")) early.push(this.writableNeedDrain);
    return write.call(this, text, "utf8");
  });
  try {
    const [response] = (await once(get(`${server.url}events`), "response")) as [IncomingMessage];
    response.resume();
    await once(response, "end");
    expect(early.length).toBeGreaterThan(5);
    expect(early).not.toContain(true);
  } finally {
    spy.mockRestore();
    await server.close();
  }
});
