import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type RedisClientType } from "@redis/client";
import { vi } from "vitest";

/** Whether Debian's package `redis-server` is installed. */
export const HAS_REDIS = spawnSync("redis-server", ["--version"]).status === 0;
if (!HAS_REDIS) console.log("skipped: what needs Redis, without redis-server");

/** Starts an empty server on a socket of its own, and connects to it. */
export async function startRedis(): Promise<{ redis: RedisClientType; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "acp-redis-"));
  const path = join(folder, "redis.sock");
  const options = ["--port", "0", "--unixsocket", path, "--save", "", "--dir", folder];
  const server = spawn("redis-server", options, { stdio: "ignore" });
  await vi.waitUntil(() => existsSync(path), { timeout: 10_000 });
  const redis = createClient({ socket: { path, tls: false } }) as RedisClientType;
  await redis.connect();
  const stop = async (): Promise<void> => {
    redis.destroy();
    server.kill("SIGTERM");
    await once(server, "exit");
    rmSync(folder, { recursive: true, force: true });
  };
  return { redis, stop };
}
