import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import type { Assignment, Refusal } from "./refuse-references.js";

const folder = temporaryFolder();
const secret = join(folder, "secret.json");
const LOADER = join(ROOT, "node_modules/tsx/dist/loader.mjs");
let server: Server;
let requests = 0;

/** What is said of a reference in a feature, and in a schema of others. */
type Messages = { readonly [kind in Assignment["kind"]]: string };

/** References that lead somewhere they must not, and what is said of them. */
function hostileReferences(address: string): readonly [reference: string, messages: Messages][] {
  const feature = "does not have the form";
  const outside: Messages = { feature, schema: "is in another document, which is not read" };
  const nowhere: Messages = { feature, schema: "nothing is at " };
  const unknown = (name: string): Messages => ({
    feature: `unknown definition "${name}"`,
    schema: `nothing is at "#/$defs/${name}"`,
  });
  const itself = (name: string): Messages => {
    const text = `"${name}" refers only to itself`;
    return { feature: text, schema: text };
  };
  return [
    ["../other.json#/$defs/Thing", outside],
    [secret, outside],
    [`file://${secret}`, outside],
    ["../../../../../../../../etc/passwd", outside],
    [`${address}schema.json`, outside],
    [`${address}redirect`, outside],
    [address.replace("http:", ""), outside],
    ["//host/share#/x", outside],
    ["data:application/json,{}", outside],
    ["#/__proto__/x", nowhere],
    ["#/$defs/../x", unknown("../x")],
    ["#/$defs/__proto__", unknown("__proto__")],
    ["#/$defs/constructor", unknown("constructor")],
    ["#/$defs/HostileNowhere", unknown("HostileNowhere")],
    ["#/$defs/HostileSelf", itself("HostileSelf")],
    ["#/$defs/HostileA", itself("HostileA")],
    ["#", nowhere],
    ["", nowhere],
  ];
}

const CIRCLES = {
  HostileSelf: { $ref: "#/$defs/HostileSelf" },
  HostileA: { $ref: "#/$defs/HostileB" },
  HostileB: { $ref: "#/$defs/HostileA" },
};

function assignmentOf(kind: Assignment["kind"], reference: string): Assignment {
  const circle = Object.fromEntries(
    Object.entries(CIRCLES).filter(
      ([name]) =>
        reference.endsWith(name) || (reference.endsWith("HostileA") && name === "HostileB"),
    ),
  );
  const $defs = {
    HostileThing: {
      description: "A thing.",
      type: "object",
      properties: { part: { description: "A part.", $ref: reference } },
    },
    ...circle,
  };
  if (kind === "schema") return { kind, file: join(folder, "schema.json"), document: { $defs } };
  const feature = {
    $schema: "feature.schema.json",
    name: "hostile",
    protocol: "v1",
    title: "Hostile",
    description: "Hostile.",
    status: "proposed",
    $defs,
  };
  return { kind, file: join(folder, "feature.json"), document: feature };
}

let cases: readonly {
  readonly reference: string;
  readonly message: string;
  readonly kind: Assignment["kind"];
}[];
let refusals: readonly Refusal[];

beforeAll(async () => {
  writeFileSync(secret, "{}");
  server = createServer((request, response) => {
    requests++;
    if (request.url === "/redirect") response.writeHead(302, { location: "/schema.json" });
    response.end("{}");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  // A feature takes the whole protocol with it, so some will do.
  cases = hostileReferences(address).flatMap(([reference, messages], index) =>
    (["schema", ...(index % 4 === 1 ? (["feature"] as const) : [])] as const).map((kind) => ({
      ...{ reference, kind, message: messages[kind] },
    })),
  );
  const assignments = cases.map(({ kind, reference }) => assignmentOf(kind, reference));
  const watcher = join(ROOT, "test/hostile/references/watch-io.mjs");
  const script = join(ROOT, "test/hostile/references/refuse-references.ts");
  const work = JSON.stringify({ assignments, out: join(folder, "out") });
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", watcher, "--import", LOADER, script, work],
    { maxBuffer: 2 ** 26 },
  );
  refusals = JSON.parse(stdout) as readonly Refusal[];
}, 120_000);
afterAll(() => void server.close());

describe("a reference that is external or dangling", () => {
  test("is refused with file, pointer and hint", () => {
    cases.forEach(({ kind, reference, message }, index) => {
      const { problems } = refusals[index]!;
      const text = problems.join("\n");
      expect(text, `${kind} ${reference}`).toContain(message);
      const place = message.includes("itself")
        ? /#\/\$defs\/Hostile\w+: /
        : /#\/\$defs\/HostileThing\/properties\/part\/\$ref: /;
      expect(text, `${kind} ${reference}`).toMatch(place);
      expect(text).toContain(`${kind}.json#`);
    });
    expect(refusals).toHaveLength(23);
  });

  test("opens no file but the document and the tool's own, and connects to nothing", () => {
    refusals.forEach(({ paths, addresses }, index) => {
      const { kind, reference } = cases[index]!;
      const foreign = paths
        .map((path) => resolve(path))
        .filter((path) => !path.startsWith(ROOT) && !path.startsWith(join(folder, "out")));
      expect(foreign, `${kind} ${reference}`).toEqual([join(folder, `${kind}.json`)]);
      expect(addresses, `${kind} ${reference}`).toEqual([]);
    });
    expect(requests).toBe(0);
  });

  test("is refused within 200 ms of the processor", () => {
    const imported = refusals.filter((_, index) => cases[index]!.kind === "schema");
    // Other work of the machine makes it worse, so the better half counts.
    const times = imported.map(({ cpu }) => cpu).sort((a, b) => a - b);
    expect(times[Math.floor(times.length / 2)]).toBeLessThan(200);
  });

  const hasStrace = spawnSync("strace", ["-V"]).status === 0;
  test.skipIf(!hasStrace)("makes no other system call either", () => {
    const { file, document } = assignmentOf("schema", `file://${secret}`);
    writeFileSync(file, JSON.stringify(document));
    const log = join(folder, "strace.log");
    const command = [process.execPath, "--import", LOADER, join(ROOT, "generators/cli/main.ts")];
    const flags = ["generate", "--schema", file, "--protocol", "v1", "--out", join(folder, "out")];
    const calls = "trace=open,openat,openat2,connect,readlink,stat";
    const { status, stderr } = spawnSync(
      "strace",
      ["-f", "-qq", "-e", calls, "-o", log, ...command, ...flags],
      { encoding: "utf8", cwd: ROOT },
    );
    expect({ status, stderr }).toMatchObject({ status: 1 });
    const lines = spawnSync("grep", ["-E", "secret.json|AF_INET", log], { encoding: "utf8" });
    expect(lines.stdout).toBe("");
    // Otherwise nothing was traced.
    expect(spawnSync("grep", ["-c", "schema.json", log], { encoding: "utf8" }).status).toBe(0);
  });
});
