import { outputPath } from "../../output/file.js";
import type { EmittedFile, Emitter } from "../emitter.js";
import { indexPage } from "./index-page.js";
import { methodPage } from "./method-page.js";
import { STYLESHEET_PATH } from "./page.js";
import { createRenderer } from "./render.js";
import { createSite } from "./site.js";
import { typePage } from "./type-page.js";

const STYLESHEET_TEMPLATE = "docs/style.css";

/** The documentation of a profile: a page for every method and type, each with a Markdown twin. */
export const docs: Emitter = {
  name: "docs",
  summary: "HTML pages for every method and type, with Markdown twins",
  onRequest: true,
  emit: (protocol, { templates }) => {
    const site = createSite(protocol);
    const render = createRenderer(templates);
    const stylesheet = templates.get(STYLESHEET_TEMPLATE);
    if (stylesheet === undefined) throw new Error(`the template ${STYLESHEET_TEMPLATE} is missing`);
    const file = (path: string, text: string): EmittedFile => ({
      path: outputPath("site", protocol.profile, ...path.split("/")),
      text,
      language: "plain",
    });
    const pages = [
      indexPage(site),
      ...[...site.methodPaths.keys()].map((name) => methodPage(name, site)),
      ...protocol.definitions.map((definition) => typePage(definition, site)),
    ];
    return [
      file(STYLESHEET_PATH, stylesheet),
      ...pages.flatMap((page) => [
        file(page.path, render.html(page)),
        file(`${page.path}.md`, render.markdown(page)),
      ]),
    ];
  },
};
