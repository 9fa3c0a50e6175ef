import { describe, expect, test } from "vitest";
import { methodErrors } from "../../../../generators/emit/docs/facts/method-errors.js";
import type { Method } from "../../../../generators/model/protocol.js";
import type { Site } from "../../../../generators/emit/docs/site-types.js";
import { emitSite, loadProfile, texts, v1 } from "./small-site.js";

describe("the errors of a method", () => {
  test.each(["v1-full", "v2-full"])("include -32601 on every gated request of %s", (name) => {
    const protocol = loadProfile(name);
    const isGated = ({ kind, gate, side }: Method): boolean =>
      kind === "request" && gate !== undefined && gate.kind !== "always" && gate.side === side;
    const gated = protocol.methods.filter(isGated);
    expect(gated).not.toEqual([]);
    for (const method of gated) {
      const errors = methodErrors(method, { protocol, docs: texts } as Site);
      expect([method.name, errors.filter(({ code }) => code === -32601).length]).toEqual([
        method.name,
        1,
      ]);
    }
  });

  test("have no id where the id cannot be read", async () => {
    const page = (await emitSite(v1)).get("errors.html.md")!;
    const examples = [...page.matchAll(/"id": (\w+),\s+"error": \{\s+"code": (-\d+)/g)];
    expect(examples.length).toBeGreaterThan(6);
    for (const [, id, code] of examples) expect(id).toBe(code === "-32700" ? "null" : "7");
  });
});
