import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { packageOf } from "../../../generators/emit/go/names.js";
import { readTree } from "../../../generators/run/installation.js";
import type { Method, Protocol } from "../../../generators/model/protocol.js";
import { goTest } from "../../go/go-test.js";
import { MODULE, runGo } from "../../go/toolchain.js";
import { runPython } from "../../python/run-python.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { findTypeErrors } from "../../use/projects/find-type-errors.js";
import { methodPage } from "../support/markup.js";
import { openSite } from "../support/site.js";

const { protocols, pages, page } = await openSite();

// Inside the repository, so that the package is found by its name.
const folder = temporaryFolder(join(ROOT, "node_modules/.samples-"));

interface Sample {
  readonly caption: string;
  readonly text: string;
}

/** The samples of a page in one language, with those of each method of the page in a list of their own. */
function samplesOf(path: string, language: string): readonly (readonly Sample[])[] {
  const code = new RegExp(`^${language}, (.*):\n\n\`\`\`\\w+\n([^]*?)\n\`\`\``, "gm");
  return page(path)
    .split(/^## /m)
    .map((part) =>
      [...part.matchAll(code)].map(([, caption, text]) => ({ caption: caption!, text: text! })),
    )
    .filter((samples) => samples.length > 0);
}

/** The samples of every method, with the method. */
function methodSamples(
  { profile, methods }: Protocol,
  language: string,
): readonly { readonly method: Method; readonly samples: readonly Sample[] }[] {
  return [...new Set(methods.map(({ name }) => name))].flatMap((name) => {
    const own = ["request", "notification"].flatMap((kind) =>
      methods.filter((method) => method.name === name && method.kind === kind),
    );
    const all = samplesOf(`${profile}/${methodPage(name)}.md`, language);
    expect(all, name).toHaveLength(own.length);
    return own.map((method, index) => ({ method, samples: all[index]! }));
  });
}

/** What readers add to a sample: the variables that it names. */
function typescriptProgram(
  profile: string,
  { side, params }: Method,
  all: readonly Sample[],
): string {
  const wrap = ({ caption, text }: Sample, index: number): string => {
    const filled = text.replaceAll("{ … }", "{ throw new Error(); }");
    if (text.startsWith("import ")) return text;
    if (text.startsWith("handlers: ")) {
      const side = text.includes("createClient") || caption.includes("createClient");
      return `const options${index}: { handlers: Some<acp.${side ? "Client" : "Agent"}Handlers> } = { ${filled} };`;
    }
    const role = caption.includes("options of the client") ? "Client" : "Agent";
    return `async function sample${index}(agent: acp.ConnectedAgent, client: acp.ConnectedClient, params: acp.${side === "protocol" ? "NewSessionRequest" : params},
  signal: AbortSignal, transport: acp.MessageStream, info: acp.${role}Options["info"],
  capabilities: NonNullable<acp.${role}Options["capabilities"]>, handlers: acp.${role}Options["handlers"]) {
  ${filled}
}`;
  };
  return `import type * as acp from "acp-bindings/${profile}";
type Some<T> = T extends (...args: never[]) => unknown ? T : T extends object ? { [Key in keyof T]?: Some<T[Key]> } : T;
${all.map(wrap).join("\n")}
`;
}

/** The programs in the guides of a profile. Those of the guide to begin with run in guides.test.ts. */
function guidePrograms(profile: string, language: string): readonly string[] {
  const fence = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "gm");
  const programs = pages
    .filter(([path]) => new RegExp(`^${profile}/(?!getting-started)[\\w-]+\\.html$`).test(path))
    .flatMap(([path]) => [...page(`${path}.md`).matchAll(fence)].map(([, text]) => text!));
  expect(programs.length).toBeGreaterThan(3);
  return programs;
}

test("all TypeScript on the pages of methods and types, in guides and the manual, compiles", () => {
  const files: string[] = [];
  const write = (name: string, text: string): void => {
    const file = join(folder, `${name}.mts`);
    writeFileSync(file, text);
    files.push(file);
  };
  for (const protocol of protocols) {
    const { profile, definitions } = protocol;
    const all = methodSamples(protocol, "TypeScript");
    for (const [index, { method, samples }] of all.entries())
      write(`${profile}-${index}`, typescriptProgram(profile, method, samples));
    const shown = definitions.map(
      ({ name }) => samplesOf(`${profile}/types/${name}.html.md`, "TypeScript")[0]!,
    );
    const texts = (caption: string): string =>
      shown.map((samples) => samples.find((sample) => sample.caption === caption)!.text).join("\n");
    write(`${profile}-imports`, texts("Import"));
    write(`${profile}-declarations`, `export {};\n${texts("Declaration")}`);
    for (const [index, program] of guidePrograms(profile, "ts").entries())
      write(`${profile}-guide-${index}`, program);
  }
  const manual = new Map(readTree(join(ROOT, "templates/site/guides/tool")));
  // Its code belongs to bindings with its feature: worked-example.test.ts compiles it.
  manual.delete("features.md");
  for (const [path, text] of manual)
    for (const [index, [, program]] of [...text.matchAll(/^```ts\n([^]*?)^```/gm)].entries())
      write(`manual-${path.replace(".md", "")}-${index}`, program!);
  // Code that readers copy compiles under `strict` alone as well; the profiles of a version share their guides.
  const copied = files.filter((file) => /(v[12]-guide|manual)-[^/]*$/.test(file));
  expect(copied.length).toBeGreaterThan(30);
  const errors = [...findTypeErrors(files), ...findTypeErrors(copied, {})].map(
    ({ file, messageText }) =>
      `${file?.text ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
  );
  expect(errors).toEqual([]);
}, 300_000);

function pythonProgram({ side, params }: Method, all: readonly Sample[]): string {
  const session = side === "client" ? "AgentSession" : "Session";
  return all
    .map(({ text }) => {
      const filled = text.replaceAll("(...)", "(**hole)").replaceAll("=...", "=value");
      if (text.startsWith("from ")) return text;
      if (text.startsWith("async def "))
        return `class _(${text.includes("ClientContext") ? "Client" : "Agent"}):\n    ${filled.replaceAll("\n", "\n    ")}`;
      return `async def _(agent: acp.ConnectedAgent, client: acp.ConnectedClient, session: acp.${session}, params: acp.types.${params}) -> None:\n    ${filled}`;
    })
    .join("\n");
}

/** Pages of the manual whose handlers have no types, which Python does not need. */
const UNTYPED = ["python.md", "remote.md"];

const hasMypy = runPython(["-c", "import mypy"]).code === 0;

test.runIf(hasMypy)(
  "all Python on the pages of methods, in guides and the manual passes mypy, and so do all imports",
  () => {
    const sources = join(folder, "python");
    mkdirSync(sources);
    for (const protocol of protocols) {
      const module = protocol.profile.replaceAll("-", "_");
      const head = `from typing import Any\nimport acp_bindings.${module} as acp\nhole: dict[str, Any] = {}\nvalue: Any = None\n`;
      const methods = methodSamples(protocol, "Python").map(({ method, samples }, index) => {
        const text = pythonProgram(method, samples);
        let count = 0;
        return text.replaceAll(
          /^(class|async def) _\(/gm,
          (_, kind) => `${kind} _${index}_${count++}(`,
        );
      });
      const imports = protocol.definitions.map(
        ({ name }) =>
          samplesOf(`${protocol.profile}/types/${name}.html.md`, "Python")[0]!.find(
            ({ caption }) => caption === "Import",
          )!.text,
      );
      writeFileSync(
        join(sources, `${module}_samples.py`),
        [head, ...methods, ...imports, ""].join("\n"),
      );
      for (const [index, program] of guidePrograms(protocol.profile, "python").entries())
        writeFileSync(join(sources, `${module}_guide_${index}.py`), program);
    }
    for (const [path, text] of readTree(join(ROOT, "templates/site/guides/tool"))) {
      // Starlark, on the page "In a pipeline", has no imports.
      const programs = text.matchAll(/^```python\n((?:import|from) [^]*?)^```/gm);
      const head = UNTYPED.includes(path)
        ? '# mypy: disable-error-code="no-untyped-def,no-untyped-call"\n'
        : "";
      for (const [index, [, program]] of [...programs].entries()) {
        const name = `manual_${path.replace(".md", "").replaceAll("-", "_")}_${index}.py`;
        writeFileSync(join(sources, name), head + program!);
      }
    }
    const cache = join(ROOT, "node_modules/.cache/acp-mypy");
    // A body that a reader writes is `...` on the page.
    const { out, err, code } = runPython([
      "-m",
      "mypy",
      "--strict",
      "--disable-error-code=empty-body",
      `--cache-dir=${cache}`,
      sources,
    ]);
    expect(out + err).toMatch(/^Success/);
    expect(code).toBe(0);
  },
);

/** What readers add to samples in Go: the functions around calls, the types of handlers, and the imports. */
function goProgram(name: string, all: readonly (readonly Sample[])[]): string {
  const parts = all.flatMap((samples, index) => {
    const params = /params (\S+)\)/.exec(samples.map(({ text }) => text).join())?.[1] ?? "any";
    return samples
      .filter(({ text }) => !text.startsWith("import "))
      .map(({ text }) => {
        const filled = text.replaceAll("{…}", "{}").replace("{ … }", "{ panic(0) }");
        if (text.startsWith("func "))
          return `type my${index} struct{}\n\n${filled.replace(/ my(Agent|Client)\)/, ` my${index})`)}`;
        const declared = /^(.*) :=/m.exec(text.split("\n").at(-1)!)![1]!;
        const role = text.includes("NewClient") ? "Client" : "Agent";
        return `func _(ctx context.Context, agent *${name}.ConnectedAgent, client *${name}.ConnectedClient, handler ${name}.${role}Handler, params ${params}) {
	{
		${filled}
		${declared.replace(/\w+/g, "_")} = ${declared}
	}
}`;
      });
  });
  const imported = new Set(all.flat().flatMap(({ text }) => /^import (.*)$/.exec(text)?.[1] ?? []));
  const imports = ['"context"', '"time"', ...imported].map((path) => `import ${path}\n`).join("");
  return `package samples\n\n${imports}\nvar _ time.Duration\n\n${parts.join("\n\n")}\n`;
}

goTest(
  "all Go on the pages of methods and in guides is formatted and passes vet",
  () => {
    const module = join(folder, "go");
    const write = (path: string, text: string): void => {
      const file = join(module, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    };
    const own = "github.com/acp-codegen/acp-codegen/out/go";
    write(
      "go.mod",
      `module samples\n\ngo 1.22\n\nrequire ${own} v0.0.0\n\nreplace ${own} => ${MODULE}\n`,
    );
    for (const protocol of protocols) {
      const { profile, definitions } = protocol;
      const name = packageOf(profile);
      const methods = methodSamples(protocol, "Go").map(({ samples }) => samples);
      const shown = definitions.flatMap(
        (one) => samplesOf(`${profile}/types/${one.name}.html.md`, "Go")[0] ?? [],
      );
      write(`${name}/methods.go`, goProgram(name, methods));
      const text = shown.map((declaration) => declaration.text).join("\n\n");
      write(`${name}/declarations/declarations.go`, `package declarations\n\n${text}\n`);
      for (const [index, program] of guidePrograms(profile, "go").entries())
        write(`${name}/guide${index}/main.go`, program);
    }
    expect(runGo(["gofmt", "-l", "."], { cwd: module }).out.replace(/.*methods\.go\n/g, "")).toBe(
      "",
    );
    for (const { profile } of protocols)
      rmSync(join(module, packageOf(profile), "declarations"), { recursive: true });
    expect(runGo(["vet", "./..."], { cwd: module })).toEqual({ code: 0, out: "", err: "" });
  },
  600_000,
);
