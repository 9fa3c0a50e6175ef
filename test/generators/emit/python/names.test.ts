import { describe, expect, test } from "vitest";
import { checkModule, subpackageName } from "../../../../generators/emit/python/names.js";

describe("the Python package of a profile", () => {
  test.each(["class", "async", "import", "yield"])("is not made under the keyword %s", (name) => {
    expect(() => checkModule(`the profile name "${name}"`, name)).toThrow(
      `the profile name "${name}" is a keyword of Python, which no program can import. Choose another name.`,
    );
  });

  test.each([
    ["match", "match"],
    ["v1-unstable", "v1_unstable"],
    ["class-a", "class_a"],
  ])("of %s is %s", (name, module) => {
    checkModule(name, name);
    expect(subpackageName(name)).toBe(module);
  });
});
