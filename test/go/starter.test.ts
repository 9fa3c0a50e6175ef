import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { httpTransport } from "acp-bindings/remote";
import { beforeAll, expect } from "vitest";
import { init } from "../../generators/run/init/init.js";
import { createRecordingClient } from "../use/remote/remote-agent.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { goTest, isSkipped } from "./go-test.js";
import { runGo } from "./toolchain.js";

const project = join(temporaryFolder(), "My Agent");
beforeAll(async () => {
  if (!isSkipped) await init(project, { starter: "agent", language: "go" });
});

goTest(
  "the starter is formatted, passes its own test and has the name of its folder",
  () => {
    expect(runGo(["gofmt", "-l", "."], { cwd: project }).out).toBe("");
    expect(runGo(["vet", "."], { cwd: project })).toEqual({ code: 0, out: "", err: "" });
    expect(runGo(["test", "."], { cwd: project }).out).toMatch(/^ok\s+my_agent/);
    expect(runGo(["list"], { cwd: project }).out).toBe("my_agent\n");
  },
  180_000,
);

goTest(
  "the starter serves clients at an address until it is told to end",
  async () => {
    expect(runGo(["build", "-o", "agent", "."], { cwd: project }).err).toBe("");
    const server = spawn(join(project, "agent"), ["--remote", "0"]);
    const [url] = (await once(server.stderr, "data")) as [Buffer];
    const { client, texts } = createRecordingClient();
    const connection = await client.connect(httpTransport(`${url}`.trim()));
    const session = await connection.newSession({ cwd: "/" });
    expect((await session.prompt("Hello")).stopReason).toBe("end_turn");
    expect(texts).toEqual(["Hello"]);
    const ended = once(server, "close");
    server.kill("SIGTERM");
    await connection.closed;
    expect(await ended).toEqual([0, null]);
  },
  180_000,
);
