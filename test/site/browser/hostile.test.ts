import { afterAll, expect } from "vitest";
import { loadInputs } from "../../../generators/run/targets/load-inputs.js";
import { resolveOptions } from "../../../generators/run/defaults.js";
import { readTemplates } from "../../../generators/run/installation.js";
import { compile } from "../../../generators/compile.js";
import { buildProtocol } from "../../../generators/model/build/build.js";
import { compose } from "../../../generators/schema/compose.js";
import { docs } from "../../../generators/emit/site/docs.js";
import { HOSTILE_TEXTS } from "../../generators/emit/hostile-texts.js";
import { notificationOf, protocolOf } from "../../generators/schema/sources.js";
import { launchBrowser, searchFor } from "../support/browser.js";
import { writeFiles } from "../support/site.js";
import { deepTest } from "../../support/deep.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const browser = await launchBrowser();
afterAll(() => browser.close());

deepTest(
  "a schema full of markup, script and links leaves no trace of them in the browser",
  async () => {
    const definitions = Object.fromEntries(
      HOSTILE_TEXTS.map((text, index) => [
        `T${index}`,
        {
          description: text,
          type: "object" as const,
          properties: { [text]: { description: text, type: "string" as const, default: text } },
          examples: [{ [text]: text }],
        },
      ]),
    );
    const methods = HOSTILE_TEXTS.map((text, index) => ({
      ...notificationOf(text, "agent", `T${index}`),
      summary: text,
      description: text,
      examples: [{ title: text, params: { [text]: text } }],
    }));
    const protocol = buildProtocol(compose(protocolOf(definitions, methods), []), {
      name: "test",
      title: HOSTILE_TEXTS[0]!,
      description: HOSTILE_TEXTS[1]!,
    });
    const templates = readTemplates();
    const options = resolveOptions({ schema: "an imported one" });
    const inputs = await loadInputs([docs], { options, protocols: [protocol], templates });
    const compiled = await compile([protocol], [docs], inputs, { templates, version: "0.0.0" });
    const hostile = temporaryFolder();
    writeFiles(
      hostile,
      new Map(compiled.map(({ path, text }) => [path.slice("site/".length), text])),
    );
    const page = await browser.newPage();
    try {
      for (const { path } of compiled.filter((file) => file.path.endsWith(".html"))) {
        await page.goto(`file://${hostile}/${path.slice("site/".length)}`);
        if (await page.locator("#search").count()) {
          await searchFor(page, "script");
          await page.locator("#found [role=option]").first().waitFor();
        }
        expect(
          await page.evaluate(
            "[globalThis.pwned, document.querySelectorAll('img, [onload], [onerror], a[href^=\"javascript:\"]').length]",
          ),
          path,
        ).toEqual([undefined, 0]);
      }
    } finally {
      await page.close();
    }
  },
  180_000,
);
