import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  mergeEnvironment,
  quoteForBatch,
  toCommandLine,
  type CommandLine,
  type Environment,
} from "../../../../templates/typescript/runtime/stdio/command-line.js";

interface Case {
  readonly rule: string;
  readonly platform?: NodeJS.Platform;
  readonly command: string;
  readonly arguments?: readonly string[];
  readonly environment?: Environment;
  readonly files?: readonly string[];
  readonly expected: {
    readonly file?: string;
    readonly arguments?: readonly string[];
    readonly batch?: string;
    readonly missing?: string;
    readonly invalid?: string;
  };
}

interface EnvironmentCase {
  readonly rule: string;
  readonly platform?: NodeJS.Platform;
  readonly inherits?: boolean;
  readonly inherited: Environment;
  readonly added: { readonly [name: string]: string | null };
  readonly expected: Environment;
}

/** The cases hold every language to the same rules. */
const { commands, environments, ...others } = JSON.parse(
  readFileSync(new URL("../../../fixtures/command-lines.json", import.meta.url), "utf8"),
) as {
  readonly commands: readonly Case[];
  readonly arguments: readonly (readonly [string, string])[];
  readonly environments: readonly EnvironmentCase[];
};

const PATH = { Path: "C:\\tools;C:\\Program Files\\nodejs" };

function resolve({ platform = "win32", command, files = [], ...given }: Case): CommandLine {
  const known = new Set(files.map((file) => file.toLowerCase()));
  return toCommandLine(command, given.arguments ?? [], {
    platform,
    cwd: "C:\\work",
    environment: given.environment ?? PATH,
    systemRoot: "C:\\Windows",
    isFile: (file) => known.has(file.toLowerCase()),
  });
}

describe("a command of Windows", () => {
  test.each(commands.map((one) => [one.rule, one] as const))("%s", (_, one) => {
    const { missing, invalid, batch, file, arguments: args } = one.expected;
    if (missing !== undefined) {
      expect(() => resolve(one)).toThrow(missing);
      expect(() => resolve(one)).toThrow(expect.objectContaining({ code: "ENOENT" }));
    } else if (invalid !== undefined) {
      expect(() => resolve(one)).toThrow(TypeError);
      expect(() => resolve(one)).toThrow(invalid);
    } else if (batch !== undefined)
      expect(resolve(one)).toEqual({
        file: "C:\\Windows\\System32\\cmd.exe",
        args: ["/d", "/e:ON", "/v:OFF", "/s", "/c", `"${batch}"`],
        isVerbatim: true,
      });
    else expect(resolve(one)).toEqual({ file, args, isVerbatim: false });
  });

  test("is refused when its line is too long for a batch file", () => {
    const files = ["C:\\tools\\npx.cmd"];
    const one = { rule: "", command: "npx", arguments: ["x".repeat(8200)], files, expected: {} };
    expect(() => resolve(one)).toThrow("longer");
  });
});

test.each(others.arguments)("a batch file gets %j as %j", (argument, quoted) => {
  expect(quoteForBatch(argument)).toBe(quoted);
});

describe("an environment", () => {
  test.each(environments.map((one) => [one.rule, one] as const))("%s", (_, one) => {
    const added = Object.entries(one.added).map(([name, value]) => [name, value ?? undefined]);
    expect(
      mergeEnvironment(
        one.platform ?? "linux",
        one.inherited,
        Object.fromEntries(added) as Environment,
        one.inherits,
      ),
    ).toEqual(one.expected);
  });
});
