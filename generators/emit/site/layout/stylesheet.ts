import { templateText } from "../../emitter.js";
import type { SiteSettings } from "../../inputs.js";

/** The stylesheet with the colors of the user. */
export function stylesheet(
  templates: ReadonlyMap<string, string>,
  { colors }: SiteSettings,
): string {
  const text = templateText("site/assets/style.css", templates);
  if (colors.size === 0) return text;
  const rules = [...colors].flatMap(([name, { light, dark }]) => [
    `--${name}: light-dark(${light}, ${dark});`,
    ...(name === "link" ? MARKS : []),
  ]);
  return `${text}:root { ${rules.join(" ")} }\n`;
}

/** The color of names follows that of links, and so does the background of the current page. */
const MARKS = [
  "--code-name: var(--link);",
  "--link-soft: color-mix(in srgb, var(--link) 12%, var(--page));",
];
