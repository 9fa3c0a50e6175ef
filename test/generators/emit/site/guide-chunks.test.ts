import { describe, expect, test } from "vitest";
import {
  chunksOf,
  siteHas,
} from "../../../../generators/emit/site/articles/guides/guide-chunks.js";
import type { Site } from "../../../../generators/emit/site/model/site.js";
import { loadProfile } from "./small-site.js";

const v1 = siteOf("v1");
const v2 = siteOf("v2");

/** The parts of a site that decide what its guides say. */
function siteOf(profile: string): Site {
  const protocol = loadProfile(profile);
  return {
    protocol,
    features: new Set(protocol.features.map(({ name }) => name)),
    definitions: new Map(protocol.definitions.map((definition) => [definition.name, definition])),
    methodPaths: new Map(protocol.methods.map(({ name }) => [name, name])),
  } as unknown as Site;
}

describe("what a chunk of a guide needs", () => {
  test.each([
    ["", [true, true]],
    ["v2", [false, true]],
    ["session/load", [true, false]],
    ["TerminalUpdate", [false, true]],
    ["a value: ToolCallStatus.cancelled", [false, true]],
    ["a property: SessionInfo.cwd", [true, true]],
    ["a variant: SessionUpdate.tool_call", [true, false]],
    ["a type without the member: ToolCallStatus.no_such_status", [false, false]],
    ["an unknown type: NoSuchType.cwd", [false, false]],
  ])("%s", (title, [inV1, inV2]) => {
    const name = title.replace(/^.*: /, "");
    expect([siteHas(name, v1), siteHas(name, v2)]).toEqual([inV1, inV2]);
  });
});

test("texts in braces stay where the site has what they need", () => {
  const text =
    "{v1:one}{v2:two} {session/load:loads} {ToolCallStatus.cancelled:`cancelled`} {TerminalUpdate:{}}";
  const read = (site: Site) =>
    chunksOf([{ kind: "lines", lines: [text], needs: "" }], site).flatMap((chunk) =>
      chunk.kind === "lines" ? chunk.lines : [],
    );
  expect(read(v1)).toEqual(["one loads  "]);
  expect(read(v2)).toEqual(["two  `cancelled` {}"]);
});
