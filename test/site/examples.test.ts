import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../generators/schema/json.js";
import { decodeHtml } from "../emit/markup-nodes.js";
import { jsonBlocks } from "./markup.js";
import { openSite } from "./site.js";

const { protocols, pages, page } = await openSite();

describe.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "%s",
  (profile, protocol) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(protocol.schema, "bundle");
    const own = pages.filter(([path]) => path.startsWith(`${profile}/`));
    const calls = (from: string): ReadonlyMap<string, (typeof protocol.methods)[number]> =>
      new Map(
        protocol.methods.filter(({ side }) => side !== from).map((method) => [method.name, method]),
      );

    test("check 4, 6: every JSON-RPC message on a page fits the schema, but for those said to be invalid", () => {
      let checked = 0;
      for (const [path, html] of own) {
        if (path.endsWith("rules.html")) continue;
        // Both sides number their requests, so that an id can be open twice.
        const asked: { readonly id: string; readonly result: string }[] = [];
        for (const value of jsonBlocks(html) as readonly JsonObject[]) {
          if (value["jsonrpc"] !== "2.0") continue;
          const { method, params, result, id } = value;
          const type =
            typeof method === "string"
              ? protocol.methods.filter(
                  (item) => item.name === method && (item.kind === "request") === "id" in value,
                )
              : [];
          if (typeof method === "string") {
            checked++;
            expect(
              type.some((item) => ajv.validate(`bundle#/$defs/${item.params}`, params)),
              `${path} ${method}`,
            ).toBe(true);
            for (const item of type)
              if (item.result !== undefined)
                asked.push({ id: JSON.stringify(id), result: item.result });
          } else if (result !== undefined) {
            const at = asked.findLastIndex((item) => item.id === JSON.stringify(id));
            const name = asked.splice(at, at < 0 ? 0 : 1)[0]?.result;
            if (name === undefined) continue;
            checked++;
            expect(
              ajv.validate(`bundle#/$defs/${name}`, result),
              `${path} ${name}: ${ajv.errorsText()}`,
            ).toBe(true);
          }
        }
      }
      expect(checked).toBeGreaterThan(60);
    });

    test("check 4: the examples of rules are valid or invalid as they say, by ajv", () => {
      const html = page(`${profile}/rules.html`);
      const shown = [
        ...html.matchAll(
          /<figcaption>(Valid|Invalid), sent by the (\w+)([\s\S]*?)<\/figcaption>\s*<pre tabindex="0"><code>([\s\S]*?)<\/code>/g,
        ),
      ];
      const verdicts = shown.map(([, word, from, , text]) => {
        const message = JSON.parse(decodeHtml(text!)) as {
          method?: string;
          params?: Json;
          jsonrpc?: string;
        };
        const method = calls(from!).get(message.method ?? "");
        const fits =
          message.jsonrpc === "2.0" &&
          (method === undefined ||
            ajv.validate(`bundle#/$defs/${method.params}`, message.params ?? {}));
        return { word, fits };
      });
      expect(verdicts.filter(({ word }) => word === "Valid").every(({ fits }) => fits)).toBe(true);
      expect(
        verdicts.filter(({ word, fits }) => word === "Invalid" && !fits).length,
      ).toBeGreaterThan(3);
      expect(verdicts.length).toBeGreaterThan(15);
    });

    test("check 5: every method has an example that somebody wrote, for every direction", () => {
      for (const { name, side, kind, examples } of protocol.methods)
        expect(examples.length, `${side} ${kind} ${name}`).toBeGreaterThan(0);
    });
  },
);
