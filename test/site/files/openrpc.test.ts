import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { openSite } from "../support/site.js";

const { protocols, page } = await openSite();
// OpenRPC 1.3 by the OpenRPC working group, Apache-2.0: `@open-rpc/meta-schema`.
const meta = JSON.parse(
  readFileSync(new URL("../../fixtures/openrpc-meta-schema.json", import.meta.url), "utf8"),
) as object;

interface OpenRpcMethod {
  readonly name: string;
  readonly "x-wire-name"?: string;
  readonly "x-kind": string;
  readonly "x-direction": string;
  readonly "x-stability": string;
}

describe.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "the OpenRPC document of %s",
  (profile, protocol) => {
    const text = page(`${profile}/openrpc.json`);
    const document = JSON.parse(text) as {
      readonly methods: readonly OpenRpcMethod[];
      readonly components: { readonly schemas: object };
    };
    const ajv = new Ajv({ strict: false, validateFormats: false });
    // The meta-schema leaves what a schema is to another document; draft 7 is what that says.
    ajv.addSchema(
      { $ref: "http://json-schema.org/draft-07/schema#" },
      "https://meta.json-schema.tools",
    );
    const validate = ajv.compile(meta);

    test("is valid by OpenRPC's meta-schema, which refuses one that is not", () => {
      expect(validate(document), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true);
      expect(validate({ ...document, methods: [{ ...document.methods[0], params: "none" }] })).toBe(
        false,
      );
    });

    test("has every method with its kind, direction and stability, under names that are unique", () => {
      const names = document.methods.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(
        document.methods.map((method) => [
          method["x-wire-name"] ?? method.name,
          method["x-kind"],
          method["x-stability"] === "stable",
        ]),
      ).toEqual(
        protocol.methods.map(({ name, kind, feature }) => [name, kind, feature === undefined]),
      );
    });

    test("refers only to schemas that it has", () => {
      const known = new Set(Object.keys(document.components.schemas));
      const references = [...text.matchAll(/"\$ref": "([^"]*)"/g)].map((match) => match[1]!);
      expect(references.length).toBeGreaterThan(100);
      expect(
        references.filter(
          (reference) => !known.has(reference.replace("#/components/schemas/", "")),
        ),
      ).toEqual([]);
    });
  },
);
