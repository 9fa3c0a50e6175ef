import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { deepDescribe, deepTest } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { ownFeature } from "../generators/cli/own-feature.js";
import { pack, packBindings } from "./pack.js";
import { INSTALL, strangersMachine, TIME } from "./strangers-machine.js";

const { folder, works, write } = strangersMachine();

/** The tool that understands Plug'n'Play, with its version on record. */
const YARN = "@yarnpkg/cli-dist@4.18.1";

/** The oldest TypeScript that the manual promises, and later ones up to the newest. */
const COMPILERS = ["5.0.4", "5.5.4", "5.9.3", "6.0.3", "7.0.2"];

let tool = "";
let bindings = "";

deepDescribe("a stranger's machine", () => {
  beforeAll(() => {
    tool = pack(ROOT, folder).file;
    bindings = packBindings(folder).file;
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

  deepTest("generates and runs under Plug'n'Play of Yarn", { timeout: TIME }, () => {
    write("tools/package.json", { private: true });
    works("tools", "npm", ...INSTALL, YARN);
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
});
