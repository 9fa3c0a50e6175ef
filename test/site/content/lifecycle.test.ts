import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { drawStates } from "../../../generators/emit/site/diagrams/state-diagram.js";
import { loadDocs } from "../../../generators/schema/source/load-docs.js";
import { ROOT } from "../../support/paths.js";
import { attributes } from "../support/markup.js";
import { openSite } from "../support/site.js";

const { protocols, files } = await openSite();
const { lifecycle } = loadDocs(join(ROOT, "schema"));

describe.each(protocols.map((protocol) => [protocol.profile, protocol] as const))(
  "the lifecycle of %s",
  (profile, { version, methods }) => {
    const html = files.get(`${profile}/lifecycle.html`)!;
    const source = lifecycle.find(({ only }) => only!.includes(version))!;
    const has = (name: string): boolean => methods.some((method) => method.name === name);

    test("is a picture with an alternative text, and a table with the same content", () => {
      const picture = html.slice(html.indexOf('<svg class="diagram')).split("</svg>")[0]!;
      const label = /aria-labelledby="([^"]+)"/.exec(picture)![1]!;
      const title = new RegExp(`<title id="${label}">([^<]+)</title>`).exec(picture)![1]!;
      for (const state of source.states) {
        expect(title).toContain(state.title);
        expect(picture).toContain(`>${state.title}</text>`);
      }
      const arrows = picture.match(/<polygon/g)!.length;
      expect(arrows).toBe(source.transitions.length);
      const rows = attributes(html, "id").filter((id) => id.includes("-to-"));
      expect(rows).toEqual(source.transitions.map(({ from, to }) => `${from}-to-${to}`));
      for (const { from, to, steps } of source.transitions) {
        const row = html.slice(html.indexOf(`id="${from}-to-${to}"`)).split("</tr>")[0]!;
        const [named] = steps.filter(({ method }) => has(method));
        if (named === undefined) continue;
        expect(row).toContain(named.method);
        // What the handler of a method sends is its response.
        const { side } = methods.find(({ name }) => name === named.method)!;
        expect(picture).toContain(`">${side === named.by ? "response" : named.method}</text>`);
      }
    });

    test("names the messages that the profile has, and no others", () => {
      const named = source.transitions.flatMap(({ steps }) => steps.map(({ method }) => method));
      expect(named.length).toBeGreaterThan(12);
      for (const name of named)
        expect(html.includes(`methods/${name.replace("$/", "-/")}.html">${name}<`), name).toBe(
          has(name),
        );
    });

    test("is on the pages of those methods too", () => {
      const page = files.get(`${profile}/methods/session/cancel.html`)!;
      expect(page).toContain('href="../../lifecycle.html">Session lifecycle</a>');
    });
  },
);

test("every method of a lifecycle exists in some profile of its version", () => {
  for (const { only, transitions } of lifecycle)
    for (const { method } of transitions.flatMap(({ steps }) => steps))
      expect(
        protocols.some(
          ({ version, methods }) =>
            only!.includes(version) && methods.some(({ name }) => name === method),
        ),
        method,
      ).toBe(true);
});

describe("a picture of states", () => {
  const state = (id: string, column: 0 | 1, row: number) => {
    return { id, title: id, text: id, column, row };
  };

  test("has arrows from border to border", () => {
    const { boxes, edges } = drawStates(
      "p",
      "P",
      [state("a", 0, 0), state("b", 0, 1)],
      [{ from: "a", to: "b", names: ["go"] }],
    );
    expect(edges[0]).toMatchObject({ y1: boxes[0]!.y + boxes[0]!.height });
    expect(edges[0]!.labels).toMatchObject([{ text: "go", anchor: "start" }]);
    expect(edges[0]!.head.startsWith(`${boxes[1]!.textX},${boxes[1]!.y} `)).toBe(true);
  });

  test("separates arrows in opposite directions", () => {
    const { edges } = drawStates(
      "p",
      "P",
      [state("a", 0, 0), state("b", 1, 0)],
      [
        { from: "a", to: "b", names: [] },
        { from: "b", to: "a", names: [] },
      ],
    );
    expect(Math.abs(edges[0]!.y1 - edges[1]!.y1)).toBeGreaterThan(18);
  });

  test("refuses an arrow to an unknown state", () => {
    expect(() =>
      drawStates("p", "P", [state("a", 0, 0)], [{ from: "a", to: "b", names: [] }]),
    ).toThrow("unknown state b");
  });
});
