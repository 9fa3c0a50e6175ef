// On a release, by hand: makes the reference in test/reference from the crate that
// test/reference/upstream-schemas names. Needs Rust; builds the crate once for each of its features.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import type { JsonSchema } from "../generators/schema/json-schema/json.js";
import { keyWordsOf, shinglesOf, textsOf } from "../test/reference/texts.js";
import { factsOf, withoutTexts } from "./follow/facts.js";

const CRATE = "agent-client-protocol-schema";
const program = fileURLToPath(new URL("../test/reference/upstream-schemas", import.meta.url));

/** What the program prints, by protocol version. */
type Printed = {
  readonly [version: string]: { readonly schema: JsonSchema; readonly meta: object };
};

function cargo(...args: readonly string[]): string {
  const options = { cwd: program, encoding: "utf8", maxBuffer: 2 ** 28 } as const;
  return execFileSync("cargo", [...args], { ...options, stdio: ["ignore", "pipe", "inherit"] });
}

function build(features: readonly string[]): Printed {
  const printed = cargo("run", "--quiet", "--locked", "--features", features.join(" "));
  return JSON.parse(printed) as Printed;
}

const { packages } = JSON.parse(cargo("metadata", "--locked", "--format-version=1")) as {
  packages: { name: string; version: string; features: { [name: string]: string[] } }[];
};
const { version: release, features: flags } = packages.find(({ name }) => name === CRATE)!;
const folder = fileURLToPath(new URL(`../test/reference/${release}`, import.meta.url));
mkdirSync(folder, { recursive: true });

/** Writes a file whose lines can be compared: one for each member of an object. */
function write(name: string, members: object): void {
  const lines = Object.entries(members).map(
    ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  writeFileSync(join(folder, name), `{\n${lines.join(",\n")}\n}\n`);
}

const surfaces = { "": build([]), "-unstable": build(["unstable"]) };
const meta: { [profile: string]: object } = {};
const keyWords: { [profile: string]: { [place: string]: string } } = {};
const shingles = new Set<string>();
for (const version of ["v1", "v2"])
  for (const [surface, printed] of Object.entries(surfaces)) {
    const { schema, meta: methods } = printed[version]!;
    const profile = version + surface;
    const { $defs, ...root } = withoutTexts(schema);
    const definitions = Object.entries($defs!).map((each) => {
      return `${JSON.stringify(each[0])}:${JSON.stringify(each[1])}`;
    });
    const text = `${JSON.stringify(root).slice(0, -1)},"$defs":{\n${definitions.join(",\n")}\n}}\n`;
    writeFileSync(join(folder, `${profile}.json`), text);
    meta[profile] = methods;
    const texts = [...textsOf(schema)];
    const found = texts.map(([place, one]) => [place, keyWordsOf(one).join(", ")] as const);
    keyWords[profile] = Object.fromEntries(found.filter(([, words]) => words !== ""));
    for (const [, one] of texts) for (const hash of shinglesOf(one)) shingles.add(hash);
  }
write("meta.json", meta);
writeFileSync(join(folder, "key-words.json"), `${JSON.stringify(keyWords, undefined, 0)}\n`);
writeFileSync(join(folder, "shingles.bin"), Buffer.from([...shingles].sort().join(""), "hex"));

// A fact needs each feature without which the build of all others lacks it.
const features = flags["unstable"]!;
const needs = new Map<string, string[]>();
for (const feature of features) {
  const others = features.filter((one) => one !== feature).map((one) => `${CRATE}/${one}`);
  // The program's own feature adds the messages of proxies to the root.
  const without = build(feature === "unstable_proxy_chains" ? others : ["proxy", ...others]);
  for (const version of ["v1", "v2"]) {
    const present = factsOf(without[version]!.schema);
    const stable = factsOf(surfaces[""][version]!.schema);
    for (const fact of factsOf(surfaces["-unstable"][version]!.schema)) {
      if (stable.has(fact)) continue;
      const key = `${version} ${fact}`;
      needs.set(key, needs.get(key) ?? []);
      if (!present.has(fact)) needs.get(key)!.push(feature.replace("unstable_", ""));
    }
  }
}
const partition: { [version: string]: { [features: string]: string[] } } = { v1: {}, v2: {} };
for (const [key, all] of needs) {
  const [version, fact] = key.split(" ") as [string, string];
  (partition[version]![all.sort().join(" ")] ??= []).push(fact);
}
write("features.json", partition);
