import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createJiti } from "jiti";
import { afterAll, describe, expect, test, vi } from "vitest";
import { generate } from "../../../generators/run/generate/generate.js";
import type { GenerateOptions, ProgressStep } from "../../../generators/run/options.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { findTypeErrors } from "../../use/projects/find-type-errors.js";

const folder = temporaryFolder();
afterAll(() => void vi.unstubAllGlobals());
writeFileSync(join(folder, "package.json"), '{"type":"module"}');

function write(name: string, text: string | object): string {
  const file = join(folder, name);
  writeFileSync(file, typeof text === "string" ? text : JSON.stringify(text));
  return file;
}

function object(properties: object): object {
  return { type: "object", properties, required: Object.keys(properties) };
}

function message(method: string, params: object): object {
  return object({ jsonrpc: { const: "2.0" }, method: { const: method }, params });
}

const ref = (name: string): object => ({ $ref: `#/$defs/${name}` });
const text = { type: "string" };

/** A calculator that asks its client for variables; its handshake is not that of ACP. */
const SCHEMA = write("calculator.json", {
  $defs: {
    InitializeRequest: message("initialize", object({ protocolVersion: text })),
    InitializeResult: object({ protocolVersion: text }),
    EvalRequest: message("eval/run", ref("EvalParams")),
    EvalParams: object({ source: text }),
    EvalResult: object({ value: { type: "number" } }),
    ResetRequest: message("reset", { type: "object" }),
    VariableRequest: message("variable", object({ name: text })),
    VariableResponse: object({ value: { type: "number" } }),
    EmptyResult: { type: "object" },
    StoppedNotification: message("stopped", { type: "object" }),
    ClientRequest: { anyOf: [ref("InitializeRequest"), ref("EvalRequest"), ref("ResetRequest")] },
    ServerRequest: { anyOf: [ref("VariableRequest")] },
  },
});
const MAPPING = write("methods.json", {
  reset: { result: "EmptyResult" },
  stopped: { side: "client" },
});

async function run(out: string, options: GenerateOptions = {}): Promise<readonly ProgressStep[]> {
  const steps: ProgressStep[] = [];
  const given = { schema: SCHEMA, protocol: "v1", out: join(folder, out), ...options };
  await generate({ ...given, onProgress: (step) => steps.push(step) });
  return steps;
}

function find<Kind extends ProgressStep["kind"]>(
  steps: readonly ProgressStep[],
  kind: Kind,
): Extract<ProgressStep, { readonly kind: Kind }> | undefined {
  return steps.find(
    (step): step is Extract<ProgressStep, { readonly kind: Kind }> => step.kind === kind,
  );
}

/** The program of a user who has a JSON-RPC connection of another library. */
const PROGRAM = `
import type { Notifications } from "./typescript/src/v1/index.js";

export async function evaluate(source: string): Promise<number> {
  const { value } = await call("eval/run", { source });
  return value;
}

export const stopped: Notifications["stopped"]["params"] = {};
// @ts-expect-error: params of another method
export const wrong = () => call("eval/run", { name: "x" });
// @ts-expect-error: not a request
export const unknown = () => call("stopped", {});
`;

interface Program {
  readonly evaluate: (source: string) => Promise<number>;
}

/** Returns the code of the README of a package, with the module of its profile in place of the package. */
function codeOf(readme: string): string {
  const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  return code.replace("acp-bindings/v1", "./typescript/src/v1/index.js");
}

describe("a protocol whose messages name their methods", { timeout: 60_000 }, () => {
  test("gets a methods table for any connection, and nothing of ACP", async () => {
    const steps = await run("decided", { methods: MAPPING });
    expect(find(steps, "undecided")).toBeUndefined();
    expect(find(steps, "without-roles")?.targets).toEqual(["roles", "mocks"]);
    const sources = join(folder, "decided/typescript");
    expect(readdirSync(join(sources, "src/v1"))).not.toContain("roles.ts");
    expect(readdirSync(join(sources, "src/runtime"))).toEqual(["acp-error.ts", "validate"]);
    for (const name of ["README.md", "package.json"])
      expect(readFileSync(join(sources, name), "utf8")).not.toMatch(/agent/i);
    const readme = readFileSync(join(sources, "README.md"), "utf8");
    const program = write("decided/program.ts", codeOf(readme) + PROGRAM);
    expect(findTypeErrors([program]).map(({ messageText }) => messageText)).toEqual([]);
    const { evaluate } = await createJiti(import.meta.url).import<Program>(program);
    const answer = (value: unknown): unknown => vi.stubGlobal("request", async () => ({ value }));
    answer(3);
    expect(await evaluate("1 + 2")).toBe(3);
    answer("3");
    await expect(evaluate("1 + 2")).rejects.toThrow("/value");
  });

  test("names the methods about which the schema does not say all", async () => {
    const steps = await run("open", { targets: ["methods"] });
    expect(find(steps, "undecided")?.methods).toEqual({ result: ["reset"], side: ["stopped"] });
    expect(find(steps, "built")?.protocol.methods).toHaveLength(4);
  });

  test.each([
    ["roles", "roles"],
    ["mocks", "mocks"],
    ["default,roles", "roles"],
  ])("is refused for %s by name", async (names, name) => {
    await expect(run("refused", { targets: names.split(",") })).rejects.toThrow(
      `the target "${name}" is for protocols with the handshake of ACP`,
    );
  });

  test("is refused by name for ACP, whose roles have one", async () => {
    const out = join(folder, "refused");
    await expect(generate({ profiles: ["v1"], targets: ["methods"], out })).rejects.toThrow(
      'the target "methods" is for protocols without the handshake of ACP',
    );
  });

  test("has the pages of its methods on a site, without code for roles", async () => {
    await run("site", { targets: ["docs"], methods: MAPPING });
    const page = readFileSync(join(folder, "site/site/v1/methods/eval/run.html"), "utf8");
    expect(page).toContain("EvalResult");
    expect(page).not.toMatch(/createAgent|createClient/);
  });
});

describe("a mapping file", () => {
  const mistakes: { readonly [title: string]: readonly [object, string] } = {
    "an unknown method": [{ rest: { side: "agent" } }, 'no method "rest". Did you mean "reset"?'],
    "an unknown definition": [
      { reset: { result: "EmtyResult" } },
      '#/reset/result: the schema has no definition "EmtyResult". Did you mean "EmptyResult"?',
    ],
    "the result of a notification": [
      { stopped: { result: "EmptyResult" } },
      '"stopped" is a notification, which has no result',
    ],
    "an unknown side": [{ reset: { side: "server" } }, "#/reset/side"],
  };
  test.each(Object.entries(mistakes))("is refused with %s", async (_, [mapping, problem]) => {
    const methods = write("wrong.json", mapping);
    await expect(run("wrong", { methods, targets: ["methods"] })).rejects.toThrow(problem);
  });

  test("is refused for a schema that marks its methods", async () => {
    const marked = { type: "object", "x-method": "a", "x-side": "agent" };
    const schema = write("marked.json", { $defs: { ARequest: marked, AResponse: marked } });
    await expect(run("wrong", { schema, methods: MAPPING, targets: ["types"] })).rejects.toThrow(
      "marks its methods itself",
    );
  });
});
