import { expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { findLowContrasts } from "../../../generators/run/bundles/contrast.js";
import { ROOT } from "../../support/paths.js";

const find = (colors: Readonly<Record<string, string>>): readonly unknown[] =>
  findLowContrasts(
    new Map(Object.entries(colors).map(([name, light]) => [name, { light, dark: light }])),
  );

test.each([
  [{ text: "#777", page: "#fff" }, "text", 4.4],
  [{ link: "#ffff00", page: "#ffffff" }, "link", 1],
  [{ muted: "rgb(119, 119, 119)", page: "rgb(255 255 255)" }, "muted", 4.4],
] as const)("a text that is hard to read is found in both modes: %j", (colors, color, ratio) => {
  const found = find(colors).filter((one) => (one as { color: string }).color === color);
  expect(found).toEqual([
    { color, mode: "light", ratio },
    { color, mode: "dark", ratio },
  ]);
});

test("a color is compared with that of the stylesheet where the configuration has none", () => {
  expect(find({ link: "#0b5bb5" })).toEqual([{ color: "link", mode: "dark", ratio: 2.7 }]);
  expect(find({ soft: "#777777", line: "#777777" })).toEqual([]);
});

test("a color in another form is not compared", () => {
  expect(find({ text: "teal", link: "oklch(0.7 0.1 200)", muted: "#777777aa" })).toEqual([]);
});

test("the colors that are assumed are those of the stylesheet", () => {
  const css = readFileSync(`${ROOT}templates/site/assets/style.css`, "utf8");
  const code = readFileSync(`${ROOT}generators/run/bundles/contrast.ts`, "utf8");
  for (const name of ["text", "muted", "link", "page"]) {
    const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css)!;
    expect(code).toContain(`${name}: { light: "${light}", dark: "${dark}" }`);
  }
});
