import { describe, expect, test } from "vitest";
import { compile } from "../../../generators/compile.js";
import type { Emitter } from "../../../generators/emit/emitter.js";
import type { Protocol } from "../../../generators/model/protocol.js";

/** All bidirectional control characters. */
const CONTROLS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";

const CONTEXT = { templates: new Map<string, string>(), version: "0.0.0" };

describe("bidirectional control characters", () => {
  test.each([
    ["a.ts", "typescript", (text: string) => `/** ${text} */\nexport const a = "${text}";\n`],
    ["a.json", "json", (text: string) => `{ "a": "${text}" }`],
    ["a.html", "plain", (text: string) => `<p>${text}</p>`],
    ["a.md", "markdown", (text: string) => `# ${text}\n`],
  ] as const)("are escaped in %s", async (path, language, print) => {
    const emitter: Emitter = {
      name: "bidi",
      summary: "prints them",
      emit: () => [{ path, profile: "v1", language, text: print(CONTROLS) }],
    };
    const [file] = await compile([{ profile: "v1" } as Protocol], [emitter], {}, CONTEXT);
    expect(file!.text).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
    expect(file!.text).toContain("\\u202e");
    if (language === "json") expect(JSON.parse(file!.text)).toEqual({ a: CONTROLS });
  });
});
