import { Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { methodErrors } from "../../../generators/emit/site/model/method-errors.js";
import type { Site } from "../../../generators/emit/site/model/site.js";
import { isOf } from "../../../generators/schema/source/docs-source.js";
import { loadDocs } from "../../../generators/schema/source/load-docs.js";
import { ROOT } from "../../support/paths.js";
import { compileSite } from "../support/compile-site.js";
import { loadProtocols, openSite } from "../support/site.js";
import { deepTest } from "../../support/deep.js";

deepTest("two builds have the same bytes, without network access", async () => {
  const connect = vi.spyOn(Socket.prototype, "connect").mockImplementation(() => {
    throw new Error("the build asks the network");
  });
  onTestFinished(() => connect.mockRestore());
  const [one, other] = [(await openSite()).files, await compileSite(loadProtocols())];
  expect([...other.keys()].sort()).toEqual([...one.keys()]);
  for (const [path, text] of other) if (one.get(path) !== text) expect.fail(`${path} is different`);
});

test("every entry of the site's texts is used by some profile", async () => {
  const docs = loadDocs(join(ROOT, "schema"));
  const protocols = loadProtocols();
  const has = (method: string, only: { readonly only?: readonly string[] }): boolean =>
    protocols.some(
      ({ version, methods }) => isOf(only, version) && methods.some(({ name }) => name === method),
    );
  const unused = [
    ...Object.entries({ ...docs.errors }).flatMap(([method, entries]) =>
      entries.filter((entry) => !has(method, entry)).map(({ code }) => `errors ${method} ${code}`),
    ),
    ...Object.entries(docs.after).flatMap(([method, entries]) =>
      entries.filter((entry) => !has(method, entry)).map(() => `after ${method}`),
    ),
    ...docs.conventions.flatMap((rule) =>
      rule.methods
        .filter((method) => !has(method, {}))
        .map((method) => `rule ${rule.id} ${method}`),
    ),
    ...docs.flows.flatMap(({ id, features = [] }) =>
      features
        .filter(
          (name) =>
            !protocols.some(({ features: on }) => on.some((feature) => feature.name === name)),
        )
        .map((name) => `flow ${id} ${name}`),
    ),
  ];
  expect(unused).toEqual([]);
});

test("every address with words of questions can be found", async () => {
  const { files } = await openSite();
  const [, json] = /^globalThis\.acpSearchIndex=(.*);$/m.exec(files.get("search.js")!)!;
  const { columns } = JSON.parse(json!) as { readonly columns: readonly (readonly string[])[] };
  const [names, paths] = columns;
  const found = new Set(names!.map((name, index) => paths![index]!.replace("*", () => name)));
  const asked = Object.keys(loadDocs(join(ROOT, "schema")).asked);
  expect(asked.filter((one) => !found.has(one) && !found.has(`../${one}`))).toEqual([]);
  expect(asked.length).toBeGreaterThan(300);
});

test("every request has its own errors, and every page names the next one", async () => {
  const docs = loadDocs(join(ROOT, "schema"));
  const protocols = loadProtocols();
  for (const protocol of protocols) {
    const { methods, version } = protocol;
    for (const method of methods) {
      const { name, kind } = method;
      const errors = methodErrors(method, { protocol, docs } as Site);
      if (kind === "request") expect(errors.length, `${version} ${name}`).toBeGreaterThan(0);
      const after = (docs.after[name] ?? []).filter((entry) => isOf(entry, version));
      expect(after.length, `${version} ${name}`).toBeGreaterThan(0);
    }
  }
});
