import type { SiteColor } from "../../emit/inputs.js";
import type { LowContrast } from "../options.js";

/** The contrast of text of a regular size, level AA. */
const LEAST = 4.5;

/** The colors of texts. */
const TEXTS = ["text", "muted", "link"] as const;

/** Where the configuration has none: the colors of the stylesheet. */
const DEFAULTS: { readonly [name in (typeof TEXTS)[number] | "page"]: SiteColor } = {
  text: { light: "#18212e", dark: "#e3e8ef" },
  muted: { light: "#566172", dark: "#9ba7b6" },
  link: { light: "#1d54c0", dark: "#8ab5ff" },
  page: { light: "#fff", dark: "#10151c" },
};

/**
 * Returns the texts whose contrast with the page is too low. Only opaque colors in hexadecimal digits
 * or `rgb()` are compared.
 */
export function findLowContrasts(colors: ReadonlyMap<string, SiteColor>): readonly LowContrast[] {
  const colorOf = (name: keyof typeof DEFAULTS): SiteColor => colors.get(name) ?? DEFAULTS[name];
  return TEXTS.flatMap((color) =>
    (["light", "dark"] as const).flatMap((mode): LowContrast[] => {
      const [text, page] = [luminance(colorOf(color)[mode]), luminance(colorOf("page")[mode])];
      if (text === undefined || page === undefined) return [];
      const ratio = (Math.max(text, page) + 0.05) / (Math.min(text, page) + 0.05);
      return ratio >= LEAST ? [] : [{ color, mode, ratio: Math.floor(ratio * 10) / 10 }];
    }),
  );
}

/** Returns the relative luminance of a color (WCAG 2.2); undefined for other forms of colors. */
function luminance(color: string): number | undefined {
  const channels = channelsOf(color);
  if (channels === undefined) return undefined;
  const [red, green, blue] = channels.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function channelsOf(color: string): readonly number[] | undefined {
  const hex = /^#(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(color);
  if (hex !== null) {
    const digits = hex[2] ?? [...hex[1]!].map((digit) => digit + digit).join("");
    return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
  }
  const rgb = /^rgb\( *(\d+)[ ,]+(\d+)[ ,]+(\d+) *\)$/.exec(color);
  return rgb?.slice(1).map((value) => Math.min(Number(value), 255));
}
