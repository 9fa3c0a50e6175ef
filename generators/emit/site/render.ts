import Handlebars from "handlebars";
import { htmlContext, markdownContext } from "../../output/markup.js";

/** The view of a page, and the name of its templates: `<template>.html.hbs` and `<template>.md.hbs`. */
export interface Fillable {
  readonly template: string;
  readonly view: { readonly frame: object; readonly [part: string]: unknown };
}

/** A page in both of its forms. */
export interface RenderedPage {
  /** Below the profile's folder. */
  readonly path: string;
  /** The description in its head. */
  readonly summary: string;
  readonly html: string;
  readonly markdown: string;
}

/** Fills the templates of a page. */
export interface Renderer {
  readonly html: (page: Fillable) => string;
  readonly markdown: (page: Fillable) => string;
}

/**
 * Compiles the templates below `site/`, in any folder: `<name>.html.hbs` and
 * `<name>.md.hbs`, each also a partial of that name for others of its language.
 *
 * Both languages run with the engine's HTML escape on. For HTML it is the
 * right one; what Markdown templates get is finished Markdown already, so a
 * text that was forgotten would come out escaped too much, never too little.
 */
export function createRenderer(templates: ReadonlyMap<string, string>): Renderer {
  const html = createEngine(templates, ".html.hbs");
  const markdown = createEngine(templates, ".md.hbs");
  return {
    html: ({ template, view }) => tidy(html(template, htmlContext(view))),
    // A twin has no navigation, which would be most of the work.
    markdown: ({ template, view }) =>
      tidy(
        inCells(
          markdown(template, markdownContext({ ...view, frame: { ...view.frame, nav: [] } })),
        ),
      ),
  };
}

/** Missing fields are errors, helpers are limited to the engine's own, partials do not indent code. */
const OPTIONS: CompileOptions = { strict: true, knownHelpersOnly: true, preventIndent: true };

function createEngine(
  templates: ReadonlyMap<string, string>,
  suffix: string,
): (template: string, context: unknown) => string {
  const engine = Handlebars.create();
  const compiled = new Map<string, Handlebars.TemplateDelegate>();
  for (const [path, text] of templates) {
    if (!path.startsWith("site/") || !path.endsWith(suffix)) continue;
    const name = path.slice(path.lastIndexOf("/") + 1, -suffix.length);
    const template = engine.compile(text, OPTIONS);
    compiled.set(name, template);
    engine.registerPartial(name, template);
  }
  return (name, context) => {
    const template = compiled.get(name);
    if (template === undefined) throw new Error(`the template ${name}${suffix} is missing`);
    return template(context);
  };
}

/** In a row of a table, a bar would end the cell, also where it is code. */
function inCells(text: string): string {
  return text.replace(/^\| .* \|$/gm, (row) =>
    row.replace(/(`+)[^`]+\1/g, (code) => code.replaceAll("|", "\\|")),
  );
}

/** No blanks at line ends, one empty line at most, one line end at the end. */
function tidy(text: string): string {
  return `${text
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim()}\n`;
}
