import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { deepDescribe, deepTest } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { ownFeature } from "../generators/cli/own-feature.js";
import { pack } from "./pack.js";
import { COMMIT, INSTALL, strangersMachine, TIME } from "./strangers-machine.js";

const { folder, works, write } = strangersMachine();

/** The tools, with their versions on record. */
const TOOLS = {
  yarn: "@yarnpkg/cli-dist@4.18.1",
  pnpm: "pnpm@10.34.0",
  webpack: "webpack@5.112.2",
  rspack: "@rspack/core@2.3.3",
  vite: "vite@8.0.10",
  rollup: "rollup@4.60.0",
  esbuild: "esbuild@0.27.4",
};

/** The oldest TypeScript that the manual promises, and later ones up to the newest. */
const COMPILERS = ["5.0.4", "5.5.4", "5.9.3", "6.0.3", "7.0.2"];

const NODES = ["20.20.2", "22.21.1", "24.11.1"];

let tool = "";
let bindings = "";

deepDescribe("a stranger's machine", () => {
  beforeAll(() => {
    tool = pack(ROOT, folder).file;
    bindings = pack(join(ROOT, "out/typescript"), folder).file;
    write("app/package.json", { name: "app", private: true, type: "module" });
    works("app", "npm", ...INSTALL, tool, bindings);
    write("app/mine.json", ownFeature("First."));
  }, TIME);

  deepTest(
    "builds and packs a generated package with the commands that the texts have",
    { timeout: TIME },
    () => {
      const flags = [
        "--protocol",
        "v1",
        "--with",
        "./mine.json",
        "--name",
        "mine",
        "--package",
        "@me/acp",
      ];
      works("app", "npx", "acp-codegen", "generate", ...flags, "--out", "generated");
      works("app/generated/typescript", "npm", ...INSTALL);
      works("app/generated/typescript", "npm", "run", "build");
      works("app/generated/typescript", "npm", "pack");
      const made = readdirSync(join(folder, "app/generated/typescript")).find((name) =>
        name.endsWith(".tgz"),
      )!;
      expect(made).toBe("me-acp-0.0.0.tgz");
      write("consumer/package.json", { name: "consumer", private: true, type: "module" });
      works("consumer", "npm", ...INSTALL, join(folder, "app/generated/typescript", made));
      write(
        "consumer/main.js",
        'import { PROTOCOL } from "@me/acp/mine";\nconsole.log(PROTOCOL.profile);\n',
      );
      expect(works("consumer", "node", "main.js")).toContain("mine");
      // CommonJS, as the README has it.
      write("consumer/main.cjs", 'console.log(require("@me/acp/mine").PROTOCOL.version);\n');
      expect(works("consumer", "node", "main.cjs")).toContain("1");
    },
  );

  deepTest("builds it as a member of a workspace of pnpm", { timeout: TIME }, () => {
    write("tools/package.json", { private: true });
    works("tools", "npm", ...INSTALL, TOOLS.pnpm, TOOLS.yarn);
    const pnpm = join(folder, "tools/node_modules/.bin/pnpm");
    write("pnpm/package.json", {
      name: "root",
      private: true,
      devDependencies: { "acp-codegen": `file:${tool}` },
    });
    write(
      "pnpm/pnpm-workspace.yaml",
      "packages:\n  - generated/typescript\n  - app\nonlyBuiltDependencies: []\n",
    );
    works("pnpm", pnpm, "install", "--ignore-scripts", "--no-frozen-lockfile");
    works(
      "pnpm",
      pnpm,
      "exec",
      "acp-codegen",
      "generate",
      "--profile",
      "v1",
      "--package",
      "@me/acp",
      "--out",
      "generated",
    );
    write("pnpm/app/package.json", {
      name: "app",
      private: true,
      type: "module",
      dependencies: { "@me/acp": "workspace:*" },
    });
    write(
      "pnpm/app/main.js",
      'import { schemas } from "@me/acp/v1";\nconsole.log(schemas.ContentBlock.is({ type: "text", text: "" }));\n',
    );
    works("pnpm", pnpm, "install", "--ignore-scripts", "--no-frozen-lockfile");
    works("pnpm", pnpm, "--recursive", "run", "build");
    expect(works("pnpm/app", "node", "main.js")).toContain("true");
  });

  deepTest("generates and runs under Plug'n'Play of Yarn", { timeout: TIME }, () => {
    const yarn = join(folder, "tools/node_modules/@yarnpkg/cli-dist/bin/yarn.js");
    write("pnp/package.json", {
      name: "pnp",
      private: true,
      type: "module",
      dependencies: { "acp-codegen": `file:${tool}`, "acp-bindings": `file:${bindings}` },
    });
    write(
      "pnp/.yarnrc.yml",
      "nodeLinker: pnp\nenableTelemetry: false\nenableGlobalCache: false\nenableScripts: false\n",
    );
    write("pnp/yarn.lock", "");
    works("pnp", "node", yarn, "install");
    works("pnp", "node", yarn, "acp-codegen", "generate", "--profile", "v1", "--out", "gen");
    works("pnp", "node", yarn, "acp-codegen", "verify", "gen");
    works("pnp", "node", yarn, "acp-codegen", "docs", "--profile", "v1", "--out", "gen");
    expect(existsSync(join(folder, "pnp/gen/site/index.html"))).toBe(true);
    write(
      "pnp/main.js",
      'import { PROTOCOL } from "acp-bindings/v1";\nconsole.log(PROTOCOL.profile);\n',
    );
    expect(works("pnp", "node", yarn, "node", "main.js")).toContain("v1");
  });

  deepTest("gives each bundler that a text names the virtual modules", { timeout: TIME }, () => {
    const { webpack, rspack, vite, rollup, esbuild } = TOOLS;
    works("app", "npm", ...INSTALL, "--ignore-scripts", webpack, rspack, vite, rollup, esbuild);
    write(
      "app/virtual.js",
      `import { PROTOCOL } from "virtual:acp/v1";
import { ContentBlock } from "virtual:acp/v1/schemas";
console.log(PROTOCOL.profile, ContentBlock.is({ type: "text", text: "" }), ContentBlock.is({ type: "text" }));
`,
    );
    const builds = {
      webpack: `const { default: webpack } = await import("webpack");
await new Promise((done, fail) => webpack({ mode: "production", target: "node", entry: "./virtual.js",
  output: { path: out, filename: "main.cjs" }, plugins: [acp.webpack(options)] },
  (error, stats) => (error ?? stats.hasErrors() ? fail(error ?? stats.toString()) : done())));`,
      rspack: `const { rspack } = await import("@rspack/core");
await new Promise((done, fail) => rspack({ mode: "production", target: "node", entry: "./virtual.js",
  output: { path: out, filename: "main.cjs" }, plugins: [acp.rspack(options)] },
  (error, stats) => (error ?? stats.hasErrors() ? fail(error ?? stats.toString()) : done())));`,
      vite: `const { build } = await import("vite");
await build({ configFile: false, logLevel: "error", plugins: [acp.vite(options)],
  build: { ssr: "virtual.js", outDir: out, rollupOptions: { output: { entryFileNames: "main.cjs", format: "cjs" } } } });`,
      rollup: `const { rollup } = await import("rollup");
await (await rollup({ input: "virtual.js", plugins: [acp.rollup(options)] })).write({ file: out + "/main.cjs", format: "cjs" });`,
      esbuild: `const { build } = await import("esbuild");
await build({ entryPoints: ["virtual.js"], bundle: true, platform: "node", outfile: out + "/main.cjs", plugins: [acp.esbuild(options)] });`,
    };
    for (const [name, build] of Object.entries(builds)) {
      write(
        `app/build-${name}.mjs`,
        `import { acp } from "acp-codegen/plugin";
const out = process.cwd() + "/dist-${name}";
const options = { profiles: ["v1"] };
${build}
`,
      );
      works("app", "node", `build-${name}.mjs`);
      expect(works("app", "node", `dist-${name}/main.cjs`), name).toContain("v1 true false");
    }
  });

  deepTest.each(COMPILERS)(
    "type-checks a consumer with TypeScript %s",
    { timeout: TIME },
    (version) => {
      const place = `typescript-${version}`;
      write(`${place}/package.json`, { name: "consumer", private: true, type: "module" });
      works(
        place,
        "npm",
        ...INSTALL,
        "--ignore-scripts",
        bindings,
        `typescript@${version}`,
        "@types/node@20.19.43",
      );
      write(
        `${place}/main.mts`,
        `import { createAgent, createClient, schemas, type ContentBlock } from "acp-bindings/v1";
import { stdio } from "acp-bindings/stdio";
const block: ContentBlock = { type: "text", text: String(schemas.ContentBlock.is(1)) };
export const client = createClient({
  info: { name: "c", version: "1" },
  handlers: { session: { requestPermission: () => ({ outcome: { outcome: "cancelled" } }) } },
});
createAgent({
  info: { name: "a", version: "1" },
  handlers: {
    session: {
      new: () => ({ sessionId: "1" }),
      prompt: async (_, { session }) => {
        await session.text(block.text);
        return { stopReason: "end_turn" };
      },
    },
  },
}).connect(stdio());
`,
      );
      const flags = [
        "--noEmit",
        "--strict",
        "--exactOptionalPropertyTypes",
        "--module",
        "nodenext",
        "--target",
        "es2022",
        "--types",
        "node",
      ];
      works(
        place,
        "npx",
        "tsc",
        ...flags,
        "--lib",
        "es2023,dom,dom.iterable",
        "--skipLibCheck",
        "false",
        "main.mts",
      );
    },
  );

  deepTest.each(["6.0.3", "7.0.2"])(
    "compiles a flat layout with isolated declarations by TypeScript %s",
    { timeout: TIME },
    (version) => {
      const place = `flat-${version}`;
      write(`${place}/package.json`, { name: "flat", private: true, type: "module" });
      works(place, "npm", ...INSTALL, tool, `typescript@${version}`, "@types/node@20.19.43");
      works(
        place,
        "npx",
        "acp-codegen",
        "generate",
        "--profile",
        "v1",
        "v2",
        "--layout",
        "flat",
        "--out",
        "src/acp",
      );
      write(`${place}/tsconfig.json`, {
        compilerOptions: {
          strict: true,
          declaration: true,
          isolatedDeclarations: true,
          exactOptionalPropertyTypes: true,
          noPropertyAccessFromIndexSignature: true,
          noUncheckedIndexedAccess: true,
          erasableSyntaxOnly: true,
          verbatimModuleSyntax: true,
          module: "nodenext",
          target: "es2022",
          lib: ["es2023", "dom", "dom.iterable"],
          types: ["node"],
          rootDir: "src",
          outDir: "dist",
        },
        include: ["src"],
      });
      works(place, "npx", "tsc", "-p", ".");
    },
  );

  deepTest.each(NODES)("generates and serves under Node.js %s", { timeout: TIME }, (version) => {
    const binary = `node-${process.platform}-${process.arch}`;
    const place = `node-${version}`;
    write(`${place}/package.json`, { name: "old", private: true, type: "module" });
    works(place, "npm", ...INSTALL, "--ignore-scripts", tool, bindings, `${binary}@${version}`);
    const node = join(folder, place, "node_modules", binary, "bin/node");
    expect(works(place, node, "--version")).toContain(version);
    works(
      place,
      node,
      "node_modules/acp-codegen/bin/acp-codegen.js",
      "generate",
      "--profile",
      "v1",
      "--target",
      "types",
    );
    write(`${place}/main.cjs`, 'console.log(require("acp-bindings/v1").PROTOCOL.profile);\n');
    expect(works(place, node, "main.cjs")).toContain("v1");
  });

  deepTest("finds a checkout with CRLF up to date", { timeout: TIME }, () => {
    write("windows/package.json", { name: "windows", private: true, type: "module" });
    works("windows", "npm", ...INSTALL, tool);
    const flags = ["generate", "--profile", "v1", "--with", "./mine.json", "--name", "mine"];
    write("windows/mine.json", ownFeature("First."));
    write("windows/.gitignore", "node_modules\n");
    works("windows", "npx", "acp-codegen", ...flags);
    works("windows", "git", "init", "--quiet");
    works("windows", "git", "add", "--all");
    works("windows", "git", ...COMMIT);
    works("", "git", "clone", "--quiet", "--config", "core.autocrlf=true", "windows", "checkout");
    works("checkout", "npm", ...INSTALL);
    works("checkout", "npx", "acp-codegen", ...flags, "--check");
    works("checkout", "npx", "acp-codegen", "verify", "--with", "./mine.json");
    works("checkout", "npx", "acp-codegen", "verify", "--quick");
  });
});
