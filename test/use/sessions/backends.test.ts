import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import type { SessionBackend } from "acp-bindings";
import Redis from "ioredis-mock";
import ts from "typescript";
import { afterAll, beforeAll, describe, test } from "vitest";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { testBackend } from "./backend-rules.js";

// The backends of the manual's page. Redis and Postgres run in this process, with their scripts and
// statements; NATS and S3 are the least that their programs need.

const PAGE = readFileSync(join(ROOT, "templates/site/guides/tool/sessions.md"), "utf8");
// Inside the repository, so that packages are found by their names.
const folder = temporaryFolder(join(ROOT, "node_modules/.backends-"));

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

describe("Redis, in the mock that runs its scripts", () => {
  const redis = new Redis();
  // The time of the mock goes back at each second.
  let saves = 0;
  /** The methods of `@redis/client` that the program calls. */
  const client = {
    hGetAll: (key: string) => redis.hgetall(key),
    eval: (script: string, { keys, arguments: args }: { keys: string[]; arguments: string[] }) =>
      redis.eval(
        script.replace('redis.call("TIME")', `{ 0, ${++saves} }`),
        keys.length,
        ...keys,
        ...args,
      ),
    multi: () => ({
      del: (key: string) => ({
        zRem: (names: string, name: string) => redis.multi().del(key).zrem(names, name),
      }),
    }),
    zRange: (key: string, from: number, to: number, options?: { REV: true }) =>
      options?.REV ? redis.zrange(key, from, to, "REV") : redis.zrange(key, from, to),
  };
  let create: (redis: typeof client) => SessionBackend;
  beforeAll(async () => {
    create = (await load("redisSessions"))["redisSessions"] as typeof create;
  });
  testBackend(
    async () => {
      await redis.flushall();
      return create(client);
    },
    async (text) => {
      for (const key of await redis.keys("acp:{*}:*")) await redis.hset(key, "value", text);
    },
  );
});

describe("Postgres, in this process", () => {
  const pool = new PGlite();
  let create: (pool: PGlite) => SessionBackend;
  beforeAll(async () => {
    const { TABLE, postgresSessions } = await load("postgresSessions");
    create = postgresSessions as typeof create;
    await pool.query(TABLE as string);
  });
  afterAll(async () => pool.close());
  testBackend(
    async () => {
      await pool.query("truncate acp_sessions");
      return create(pool);
    },
    (text) => pool.query("update acp_sessions set value = $1", [text]),
  );
});

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
