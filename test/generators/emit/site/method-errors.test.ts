import { describe, expect, test } from "vitest";
import { methodErrors } from "../../../../generators/emit/site/model/method-errors.js";
import type { Method } from "../../../../generators/model/protocol.js";
import type { Site } from "../../../../generators/emit/site/model/site.js";
import { emitSite, loadProfile, texts, v1 } from "./small-site.js";

describe("the errors of a method", () => {
  test.each(["v1-full", "v2-full"])(
    "include -32601 on the gated requests of %s, and where it is listed",
    (name) => {
      const protocol = loadProfile(name);
      const isGated = ({ kind, gate, side }: Method): boolean =>
        kind === "request" && gate !== undefined && gate.kind !== "always" && gate.side === side;
      const isListed = ({ name, kind }: Method): boolean =>
        kind === "request" && texts.errors[name]?.some(({ code }) => code === -32601) === true;
      const found = protocol.methods.filter((method) =>
        methodErrors(method, { protocol, docs: texts } as Site).some(({ code }) => code === -32601),
      );
      expect(found).not.toEqual([]);
      expect(found.map(({ name }) => name)).toEqual(
        protocol.methods.filter((one) => isGated(one) || isListed(one)).map(({ name }) => name),
      );
    },
  );

  test("have no id where the id cannot be read", async () => {
    const page = (await emitSite(v1)).get("errors.html.md")!;
    const examples = [...page.matchAll(/"id": (\w+),\s+"error": \{\s+"code": (-\d+)/g)];
    expect(examples.length).toBeGreaterThan(6);
    for (const [, id, code] of examples) expect(id).toBe(code === "-32700" ? "null" : "7");
  });
});
