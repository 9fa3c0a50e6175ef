import { once } from "node:events";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import {
  get,
  OutgoingMessage,
  request,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { servePage } from "../../../generators/tools/live/page-server.js";
import { agent, start } from "../../../templates/site/rules/transcript-builder.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const folder = temporaryFolder();
const path = join(folder, "live.ndjson");
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

test("the live page answers its own address and host only, with the policy of the site", async () => {
  writeRecording();
  const server = await servePage({ path });
  const { origin, host, port } = new URL(server.url);
  const answers: readonly [url: string, options: RequestOptions, status: number, type?: string][] =
    [
      [server.url, {}, 200, "text/html; charset=utf-8"],
      [`${server.url}page.js`, {}, 200, "text/javascript; charset=utf-8"],
      [`${server.url}page.css`, {}, 200, "text/css; charset=utf-8"],
      [server.url, { headers: { host: `localhost:${port}` } }, 200],
      [server.url, { headers: { origin } }, 200],
      [server.url, { headers: { host: "evil.example" } }, 403],
      [server.url, { headers: { host: `evil.example:${port}` } }, 403],
      [server.url, { headers: { origin: "https://evil.example" } }, 403],
      [server.url, { headers: { host: `localhost:${port}`, origin } }, 403],
      [server.url, { method: "POST" }, 405],
      [`${server.url}nothing`, {}, 404],
      [`${origin}/`, {}, 404],
      [`${origin}/events`, {}, 404],
      [`http://${host}/toString`, {}, 404],
    ];
  try {
    for (const [url, options, status, type] of answers) {
      const [response] = await once(request(url, options).end(), "response");
      const { statusCode, headers } = (response as IncomingMessage).resume();
      expect([statusCode, headers.allow], url).toEqual([
        status,
        status === 405 ? "GET" : undefined,
      ]);
      if (type !== undefined) expect(headers["content-type"]).toBe(type);
      expect(headers).toMatchObject({
        "content-security-policy":
          "default-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors 'none'",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
      });
    }
  } finally {
    await server.close();
  }
});

test("a reader of the live page is told the name, the entries and the end of a recording, or why there are none", async () => {
  writeRecording();
  const server = await servePage({ path });
  const read = async (): Promise<string[]> => {
    const [response] = await once(get(`${server.url}events`), "response");
    expect((response as IncomingMessage).headers["content-type"]).toBe("text/event-stream");
    const events = (await textOf(response as IncomingMessage)).split("\n\n").slice(0, -1);
    return events.map((event) => event.slice(0, 50));
  };
  try {
    const [first, ...others] = await read();
    expect(first).toBe('event: recording\ndata: "live.ndjson"');
    const names = others.map((event) => event.split("\n")[0]!.slice("event: ".length));
    expect([...new Set(names)]).toEqual(["entries", "idle", "end"]);
    expect(names.filter((name) => name !== "entries")).toEqual(["idle", "end"]);
    rmSync(path);
    expect(await read()).toEqual([expect.stringMatching(/^event: failure\ndata: ".*live\.ndjson/)]);
  } finally {
    await server.close();
  }
});

test("the live page that is loaded again shows the last recording, also when it has ended", async () => {
  const recordings = temporaryFolder();
  vi.stubEnv("ACP_CODEGEN_RECORDINGS", recordings);
  const recording = join(recordings, "2026-01-01T00-00-00-000Z-agent-1.ndjson");
  const server = await servePage({});
  const read = async (): Promise<string> => {
    const [response] = await once(get(`${server.url}events`), "response");
    let text = "";
    for await (const piece of response as IncomingMessage) {
      text += String(piece);
      if (text.includes("event: entries")) break;
    }
    return text;
  };
  try {
    writeFileSync(recording, [{ recording: 1 }, ...start(1)].map(line).join(""));
    expect(await read()).toContain('data: "2026-01-01T00-00-00-000Z-agent-1.ndjson"');
    appendFileSync(recording, line({ from: "agent", kind: "exit", code: 0 }));
    expect(await read()).toContain('data: "2026-01-01T00-00-00-000Z-agent-1.ndjson"');
  } finally {
    await server.close();
    vi.unstubAllEnvs();
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
