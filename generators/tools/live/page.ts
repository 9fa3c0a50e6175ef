import { createHash } from "node:crypto";
import { inScript } from "../../output/text.js";
import { withoutControls } from "../../schema/controls.js";
import { bundle } from "../../run/bundles/in-memory-bundle.js";
import { inspectorModules, PAGE_MODULE } from "../../run/bundles/inspector-modules.js";
import { loadRules } from "../../run/bundles/site-inputs.js";
import { loadTemplates } from "../../run/inputs/load-templates.js";
import type { Captured } from "../inspect/inspector-api.js";
import type { LineReport } from "../inspect/statistics.js";
import { toolVersion } from "../../run/installation.js";

/** The page's own style; the view brings its style with it. */
const STYLE = `body { margin: 0; padding: 1rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 var(--sans); }
* { box-sizing: border-box; }
header { display: flex; gap: 0.5rem; align-items: center; margin: -1rem -1rem 1rem; padding: 0.75rem 1rem;
  border-bottom: 1px solid var(--line); font-weight: 700; letter-spacing: -0.02em; }
header svg { width: 1.625rem; height: 1.625rem; fill: var(--link); }
header path { stroke: var(--on-link); }
header rect { fill: inherit; }
h1 { margin: 0; font-size: 1.125rem; overflow-wrap: anywhere; }
main > p { margin: 0.25rem 0 0.75rem; color: var(--muted); font-size: 0.875rem; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media (min-width: 60rem) { :root { --view-height: max(20rem, calc(100vh - 14rem)); } }
`;

/** What the page that shows a recording consists of. */
export interface PageParts {
  readonly script: string;
  readonly style: string;
  /** The mark of the site, as SVG. */
  readonly mark: string;
  /** A rule's requirement and the consequence of a violation, by its id. */
  readonly rules: { readonly [rule: string]: string };
}

/** Builds the page that shows a recording: the view that the site has, with the colors of the site. */
export async function buildPage(): Promise<PageParts> {
  const templates = loadTemplates();
  const [script, { rules }] = await Promise.all([
    bundle(inspectorModules(templates), PAGE_MODULE, "iife"),
    loadRules(templates),
  ]);
  const [colors] = /^:root \{[^}]*\}/m.exec(templates.get("site/assets/style.css")!)!;
  return {
    script,
    style: `${colors}\n${STYLE}`,
    mark: templates.get("site/assets/favicon.svg")!.trim(),
    rules: Object.fromEntries(
      rules.map(({ id, title, rationale }) => [id, `${title.replace(/\.?$/, ".")} ${rationale}`]),
    ),
  };
}

/** Describes what a page contains. */
export function describePage(isRedacted: boolean): string {
  const contents = isRedacted
    ? "Texts are masked; identifiers, tags, numbers and the names of members are not."
    : "It contains everything that was said, which may be secret: prompts, files, tokens.";
  return `A conversation of the Agent Client Protocol, checked by acp-codegen ${toolVersion()}. ${contents}`;
}

export interface PageText {
  readonly name: string;
  readonly about: string;
  readonly mark: string;
  /** The elements of the head that load, or hold, the style. */
  readonly head: string;
  /** The elements behind the text: data and script. */
  readonly body: string;
}

/** Returns a page as HTML. */
export function pageHtml({ name, about, mark, head, body }: PageText): string {
  const title = escapeText(withoutControls(name));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${head}
</head>
<body>
<header>${mark.replace("<svg", '<svg aria-hidden="true"')} acp-codegen</header>
<main>
<h1 id="name">${title}</h1>
<p>${escapeText(about)}</p>
</main>
${body}
</body>
</html>
`;
}

/** A page in one file that is written while a recording is read. */
export interface PageWriter {
  /** Takes a line, and the findings about it or an earlier one. */
  readonly line: (report: LineReport, captured?: Captured) => void;
  /** Writes the end of the file. */
  readonly end: () => void;
}

/**
 * Writes a page that needs no other file and loads nothing: its policy allows no other script or
 * style than its own.
 *
 * @param name what is shown, for the title
 */
export function writePage(
  { script, style, mark, rules }: PageParts,
  name: string,
  isRedacted: boolean,
  write: (text: string) => void,
): PageWriter {
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`;
  const seam = "\u0000";
  const [start = "", end = ""] = pageHtml({
    name,
    about: describePage(isRedacted),
    mark,
    head: `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<style>${style}</style>`,
    body: `<script type="application/json" id="entries">[${seam}]</script>
${dataElement({ rules })}
<script>${script}</script>`,
  }).split(seam);
  write(start);
  let comma = "";
  return {
    line: (report, captured) => {
      write(comma + printEntry(report, captured));
      comma = ",\n";
    },
    end: () => write(end),
  };
}

/** Prints a line for a page as JSON, without a message that is nested too deeply to be written. */
export function printEntry(report: LineReport, captured: Captured | undefined): string {
  try {
    return inScript([report, captured]);
  } catch {
    const { number, size } = captured!;
    const broken = { rule: "too-deep", message: "the message is nested too deeply to be shown" };
    return inScript([report, { number, size, broken }]);
  }
}

/** Returns the element with the data of a page. */
export function dataElement(data: object): string {
  return `<script type="application/json" id="data">${inScript(data)}</script>`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
