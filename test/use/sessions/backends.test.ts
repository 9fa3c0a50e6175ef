import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RedisClientType } from "@redis/client";
import type { SessionBackend } from "acp-bindings";
import pg from "pg";
import ts from "typescript";
import { afterAll, beforeAll, describe, test } from "vitest";
import { ROOT } from "../../support/paths.js";
import { HAS_REDIS, startRedis } from "../../support/redis.js";
import { testBackend } from "./backend-rules.js";

// The backends of the manual's page, with the servers of Debian's packages `redis-server` and `postgresql`,
// and with the least of the others that they need.

const PAGE = readFileSync(join(ROOT, "templates/docs/guides/tool/sessions.md"), "utf8");
// Inside the repository, so that packages are found by their names.
const folder = mkdtempSync(join(ROOT, "node_modules/.backends-"));
const data = mkdtempSync(join(tmpdir(), "acp-backends-"));
const servers: ChildProcess[] = [];
afterAll(async () => {
  for (const server of servers) {
    server.kill("SIGTERM");
    if (server.exitCode === null) await once(server, "exit");
  }
  for (const path of [folder, data]) rmSync(path, { recursive: true, force: true });
});

/** Loads the program of the page that has a function. */
async function load(name: string): Promise<Record<string, unknown>> {
  const [, program] = PAGE.split("```ts\n")
    .map((text) => text.split("```")[0]!)
    .flatMap((text) => (text.includes(`export function ${name}(`) ? ["", text] : []));
  const { outputText } = ts.transpileModule(program!, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, outputText);
  return (await import(/* @vite-ignore */ file)) as Record<string, unknown>;
}

function start(command: string, args: readonly string[], options: SpawnOptions = {}): void {
  servers.push(spawn(command, args, { ...options, stdio: "ignore" }));
}

/** Calls a function until it succeeds. */
async function untilReady(call: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries++)
    try {
      return void (await call());
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(100);
    }
}

describe.skipIf(!HAS_REDIS)("Redis", () => {
  let redis: RedisClientType;
  let stop: () => Promise<void>;
  let create: (redis: RedisClientType) => SessionBackend;
  beforeAll(async () => {
    create = (await load("redisSessions"))["redisSessions"] as typeof create;
    ({ redis, stop } = await startRedis());
  });
  afterAll(async () => stop());
  testBackend(
    async () => {
      await redis.flushAll();
      return create(redis);
    },
    async (text) => {
      for (const key of await redis.keys("acp:{*}:*")) await redis.hSet(key, "value", text);
    },
  );
});

/** The folder of the newest version's programs; undefined without Postgres. */
const programs = existsSync("/usr/lib/postgresql")
  ? readdirSync("/usr/lib/postgresql")
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => `/usr/lib/postgresql/${version}/bin`)
      .find((path) => existsSync(join(path, "initdb")))
  : undefined;
if (programs === undefined) console.log("skipped: Postgres, without its server");

describe.skipIf(programs === undefined)("Postgres", () => {
  let pool: pg.Pool;
  let create: (pool: pg.Pool) => SessionBackend;
  beforeAll(async () => {
    const { TABLE, postgresSessions } = await load("postgresSessions");
    create = postgresSessions as typeof create;
    const place = mkdtempSync(join(tmpdir(), "acp-postgres-"));
    const options = ownerOf(place);
    const cluster = join(place, "data");
    const made = spawnSync(
      join(programs!, "initdb"),
      ["-D", cluster, "-A", "trust", "-U", "ana", "-E", "UTF8", "--no-sync", "--no-locale"],
      { ...options, encoding: "utf8" },
    );
    if (made.status !== 0) throw new Error(made.stderr);
    const settings = ["-c", "listen_addresses=", "-c", "fsync=off"];
    start(join(programs!, "postgres"), ["-D", cluster, "-k", place, ...settings], options);
    pool = new pg.Pool({ host: place, user: "ana", database: "postgres" });
    await untilReady(() => pool.query(TABLE as string));
  }, 60_000);
  afterAll(async () => pool.end());
  testBackend(
    async () => {
      await pool.query("truncate acp_sessions");
      return create(pool);
    },
    (text) => pool.query("update acp_sessions set value = $1", [text]),
  );
});

/** Gives a folder to the user `postgres` when this process is root's, as whom Postgres does not run. */
function ownerOf(place: string): SpawnOptions {
  if (process.getuid?.() !== 0) return { cwd: place };
  const [uid, gid] = ["-u", "-g"].map((flag) =>
    Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout),
  );
  chownSync(place, uid!, gid!);
  return { cwd: place, uid: uid!, gid: gid! };
}

describe("NATS, with a bucket in memory", () => {
  let create: (bucket: unknown) => SessionBackend;
  beforeAll(async () => {
    create = (await load("natsSessions"))["natsSessions"] as typeof create;
  });
  const entries = new Map<string, { value: string; revision: number; operation: string }>();
  const damage = (value: string): void => {
    for (const [key, entry] of entries) entries.set(key, { ...entry, value });
  };
  testBackend(() => {
    entries.clear();
    let last = 0;
    const put = (key: string, value: string, isExpected: boolean, operation = "PUT"): number => {
      if (!isExpected) throw Object.assign(new Error("wrong last sequence"), { code: 10071 });
      // A bucket lists its keys in the order in which they were set.
      entries.delete(key);
      entries.set(key, { value, revision: ++last, operation });
      return last;
    };
    return create({
      get: async (key: string) => {
        const entry = entries.get(key);
        return entry === undefined ? null : { ...entry, string: () => entry.value };
      },
      create: async (key: string, value: string) =>
        put(key, value, (entries.get(key)?.operation ?? "DEL") === "DEL"),
      update: async (key: string, value: string, revision: number) =>
        put(key, value, entries.get(key)?.revision === revision),
      delete: async (key: string) => void put(key, "", true, "DEL"),
      keys: async (filter: string) =>
        [...entries].flatMap(([key, { operation }]) =>
          key.startsWith(filter.slice(0, -1)) && operation === "PUT" ? [key] : [],
        ),
    });
  }, damage);
});

describe("S3, with objects in memory", () => {
  let create: (send: unknown, bucket: string) => SessionBackend;
  beforeAll(async () => {
    create = (await load("s3Sessions"))["s3Sessions"] as typeof create;
  });
  const objects = new Map<string, { readonly text: string; readonly time: string }>();
  const damage = (text: string): void => {
    for (const [name, object] of objects) objects.set(name, { ...object, text });
  };
  testBackend(() => {
    objects.clear();
    const tagOf = (text: string): string => `"${createHash("md5").update(text).digest("hex")}"`;
    const send = async (address: string, { method, headers, body }: RequestInit = {}) => {
      const { pathname, searchParams } = new URL(address);
      const name = pathname.slice("/bucket/".length);
      const given = new Headers(headers);
      const stored = objects.get(name)?.text;
      if (searchParams.has("list-type")) {
        const listed = [...objects].filter(([key]) => key.startsWith(searchParams.get("prefix")!));
        const contents = listed.map(
          ([key, { time }]) => `<Key>${key}</Key>\n<LastModified>${time}</LastModified>`,
        );
        return new Response(contents.join("\n"));
      }
      if (method === "PUT") {
        const expected = given.get("If-Match");
        if (expected !== null && stored === undefined) return new Response("", { status: 404 });
        if (given.has("If-None-Match") ? stored !== undefined : tagOf(stored!) !== expected)
          return new Response("", { status: 412 });
        objects.set(name, { text: String(body), time: new Date().toISOString() });
        return new Response("", { headers: { ETag: tagOf(String(body)) } });
      }
      if (method === "DELETE") {
        objects.delete(name);
        return new Response(null, { status: 204 });
      }
      if (stored === undefined) return new Response("", { status: 404 });
      return new Response(stored, { headers: { ETag: tagOf(stored) } });
    };
    return create(send, "https://s3.example/bucket");
  }, damage);
});

test("the page has a program for each backend", async () => {
  await Promise.all(["redisSessions", "postgresSessions", "natsSessions", "s3Sessions"].map(load));
});
