import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ajv } from "../../generators/emit/ajv.js";
import { buildProtocol } from "../../generators/model/build/build.js";
import { compose } from "../../generators/schema/compose/compose.js";
import { loadSources } from "../../generators/schema/source/load-sources.js";
import { createCodeFolder } from "../support/code-folder.js";
import { ROOT } from "../support/paths.js";
import { corpus } from "../use/samples/corpus-lines.js";
import { ours } from "../use/values/verdicts.js";

const folder = createCodeFolder();
afterAll(() => folder.remove());

let validators: { readonly [name: string]: (value: unknown) => boolean };

beforeAll(async () => {
  const { protocols, profiles } = loadSources(join(ROOT, "schema"));
  const profile = profiles.get("v1")!;
  const protocol = buildProtocol(compose(protocols.get("v1")!, profile.features), profile);
  const files = await ajv.emit(protocol, { templates: new Map(), version: "0.0.0" });
  folder.write(files);
  validators = await folder.load(files[0]!.path);
}, 60_000);

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
