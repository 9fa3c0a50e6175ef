import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/paths.js";
import { filesBelow, readSources } from "./sources.js";

const sources = readSources("generators");

describe("the layers", () => {
  test("emitters never import each other", () => {
    // In the folder of TypeScript, each entry is a separate target.
    const targetOf = (path: string): string =>
      path.replace("emit/typescript/", "emit/").split("/")[2]!.replace(/\.ts$/, "");
    const shared = ["emitter", "has-roles", "inputs", "package-facts", "sample-profiles"];
    const crossed = sources.flatMap(({ path, imports }) =>
      imports
        .map(({ from }) => from)
        .filter(
          (other) => path.startsWith("generators/emit/") && other.startsWith("generators/emit/"),
        )
        .filter((other) => ![...shared, targetOf(path)].includes(targetOf(other)))
        .map((other) => `${path} imports ${other}`),
    );
    expect(crossed).toEqual([]);
  });

  test("only the command line, the loader and the writer touch the disk", () => {
    const touching = sources
      .filter(({ imports }) => imports.some(({ from }) => /^(node:)?fs(\/|$)/.test(from)))
      .map(({ path }) => path);
    const rooms = /^generators\/(run|tools|cli|output\/disk)\//;
    expect(touching.filter((path) => !rooms.test(path))).toEqual([
      "generators/schema/source/load.ts",
      "generators/schema/source/read-bytes.ts",
    ]);
  });

  test("nothing but the command line reads the arguments, the environment or the clock, or prints", () => {
    const impure =
      /\bprocess\.|\bconsole\.|Date\.now|new Date\b|Math\.random|performance\.now|\bfetch\(/;
    const found = sources
      .filter(({ path, text }) => !/^generators\/(run|tools|cli)\//.test(path) && impure.test(text))
      .map(({ path }) => path);
    expect(found).toEqual([]);
  });

  test("nothing but the command line prints, reads the arguments or ends the process", () => {
    const printing = /\bconsole\.\w|process\.(argv|stdout|stderr|exit\b)/;
    const found = sources
      .filter(({ path, text }) => !path.startsWith("generators/cli/") && printing.test(text))
      .map(({ path }) => path);
    expect(found).toEqual([]);
  });

  test("the runtime imports nothing from the generators and no package", () => {
    const foreign = readSources("templates/typescript/runtime").flatMap(({ path, imports }) =>
      imports
        .map(({ from }) => from)
        .filter(
          (name) => !name.startsWith("templates/typescript/runtime/") && !name.startsWith("node:"),
        )
        .map((name) => `${path} imports ${name}`),
    );
    expect(foreign).toEqual([]);
  });

  test("the inspector imports nothing but the runtime", () => {
    const foreign = readSources("templates/site/inspector").flatMap(({ path, imports }) =>
      imports
        .map(({ from }) => from)
        .filter((name) => !/^templates\/(typescript\/runtime|site\/inspector)\//.test(name))
        .map((name) => `${path} imports ${name}`),
    );
    expect(foreign).toEqual([]);
  });

  test("only some modules of the runtime need Node.js, and nothing else imports them", () => {
    const isOfNode = (path: string): boolean =>
      /^templates\/typescript\/runtime\/(stdio|remote\/node|file-sessions)\//.test(path);
    const node = readSources("templates/typescript/runtime")
      .filter(({ path }) => !isOfNode(path))
      .filter(({ imports }) =>
        imports.some(({ from }) => from.startsWith("node:") || isOfNode(from)),
      );
    expect(node.map(({ path }) => path)).toEqual([]);
  });

  test("no template leaves a value unescaped", () => {
    const raw = filesBelow("templates")
      .filter((path) => path.endsWith(".hbs"))
      .filter((path) => /\{\{\{|\{\{\s*&/.test(readFileSync(join(ROOT, path), "utf8")));
    expect(raw).toEqual([]);
  });
});
