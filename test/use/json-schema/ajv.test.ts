import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ajv } from "../../../generators/emit/typescript/ajv.js";
import { buildProtocol } from "../../../generators/model/build/build.js";
import { compose } from "../../../generators/schema/compose.js";
import { loadSources } from "../../../generators/schema/source/load-sources.js";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { createCodeFolder } from "../../support/code-folder.js";
import { ROOT } from "../../support/paths.js";
import { corpus } from "../samples/corpus-lines.js";
import { ours } from "../values/verdicts.js";
import { smallProtocol } from "../../generators/emit/small-protocol.js";

const folder = createCodeFolder();

let validators: { readonly [name: string]: (value: unknown) => boolean };

beforeAll(async () => {
  const { protocols, profiles } = loadSources(join(ROOT, "schema"));
  const profile = profiles.get("v1")!;
  const protocol = buildProtocol(compose(protocols.get("v1")!, profile.features), profile);
  const files = await ajv.emit([protocol], {}, { templates: new Map(), version: "0.0.0" });
  folder.write(files);
  validators = await folder.load(files[0]!.path);
}, 60_000);

test("a property called __proto__ is checked like any other", async () => {
  const definitions = JSON.parse(`{
    "Odd": {
      "type": "object",
      "properties": { "__proto__": { "enum": ["proto_", "__proto__"] }, "proto__": { "type": "null" } },
      "required": ["__proto__"]
    }
  }`) as { readonly [name: string]: JsonSchema };
  const [file] = await ajv.emit(
    [smallProtocol({ definitions })],
    {},
    {
      templates: new Map(),
      version: "0.0.0",
    },
  );
  folder.write([file!]);
  const { validateOdd } = await folder.load<typeof validators>(file!.path);
  const verdicts = [
    '{"__proto__":"proto_"}',
    '{"__proto__":"__proto__","proto__":null}',
    '{"__proto__":"other"}',
    '{"__proto__":"proto_","proto__":1}',
    "{}",
  ].map((text) => validateOdd!(JSON.parse(text)));
  expect(verdicts).toEqual([true, true, false, false, false]);
});

describe("the code of ajv", () => {
  test.each(["valid", "invalid", "lenient", "disagree"])(
    "has the verdict of our own validators on every %s value",
    (name) => {
      const other = corpus(name).filter(
        ({ def, value }) => validators[`validate${def}`]!(value) !== ours(def, value),
      );
      expect(other).toEqual([]);
    },
  );
});
