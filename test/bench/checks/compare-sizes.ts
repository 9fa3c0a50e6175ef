import standalone from "ajv/dist/standalone/index.js";
import { agentSize } from "./agent-parts.js";
import { bundledSize, formatSize, type Size } from "./bundled-size.js";
import { bindings, sdkZod } from "../paths.js";
import { formatRatio, type ClaimCells, type Goal, type Report } from "../report.js";
import { AJV, loadAjv, ZOD } from "./libraries.js";

/** The imports of an application, as the source of a module. */
interface Imports {
  readonly name: string;
  readonly one: string;
  readonly all: string;
}

const ONE = "SessionNotification";
const SCHEMAS = "ours, schemas";

/** The size of what applications import, bundled and minified by esbuild. */
export async function compareSizes(): Promise<Report[]> {
  return [await compareValidators(), await reportAgent()];
}

/** What each part costs a minimal agent. */
async function reportAgent(): Promise<Report> {
  const { parts, minified, gzipped } = await agentSize();
  const share = (bytes: number): string => `${((100 * bytes) / minified).toFixed(1)} %`;
  return {
    title: "A minimal agent: bytes by part, minified",
    notes: ["createAgent of v1 over stdio, bundled like the validators"],
    columns: ["part", "bytes", "share"],
    rows: [
      ...[...parts].map(([name, bytes]) => [name, `${bytes}`, share(bytes)]),
      ["all", `${minified}`, "100 %"],
      ["all, gzipped", `${gzipped}`, ""],
    ],
    goals: [sizeGoal("a minimal agent", 35, { gzipped })],
  };
}

/** The row of the README. */
export function sizeClaim(ours: Size, peer: Size): ClaimCells {
  const kilobytes = ({ gzipped }: Size): string => `${(gzipped / 1000).toFixed(0)} kB`;
  return ["checks of the whole protocol in a bundle, gzipped", kilobytes(ours), kilobytes(peer)];
}

/** The size that the validators add to an application. */
async function compareValidators(): Promise<Report> {
  const ours = JSON.stringify(bindings("v1/schemas"));
  const zod = JSON.stringify(sdkZod());
  const implementations: Imports[] = [
    {
      name: SCHEMAS,
      one: `export { ${ONE} } from ${ours};`,
      all: `export * from ${ours};`,
    },
    { name: ZOD, one: `export { z${ONE} } from ${zod};`, all: `export * from ${zod};` },
    { name: `${AJV}, standalone`, one: printAjv([ONE]), all: printAjv(definitionNames()) },
  ];
  const sizes = await Promise.all(
    implementations.map(async ({ name, one, all }) => ({
      name,
      one: await bundledSize(one),
      all: await bundledSize(all),
    })),
  );
  const sizesOf = (name: string): (typeof sizes)[number] =>
    sizes.find((size) => size.name === name)!;
  const peer = sizesOf(ZOD);
  return {
    title: "Validators: size in an application",
    notes: [
      `bundled by esbuild, minified, ES2022; gzip level 9; 1 kB is 1,000 bytes; one: ${ONE}; all: every definition of v1`,
      "vs: the peer's gzipped size by this one, above 1× is better",
    ],
    columns: ["validators", ...sizeColumns("one"), ...sizeColumns("all")],
    rows: sizes.map(({ name, one, all }) => [
      name,
      ...sizeCells(one, peer.one),
      ...sizeCells(all, peer.all),
    ]),
    claim: sizeClaim(sizesOf(SCHEMAS).all, peer.all),
    goals: [
      sizeGoal("all of v1, strict and lenient", 15.5, sizesOf(SCHEMAS).all),
      sizeGoal(`${ONE} alone`, 8.3, sizesOf(SCHEMAS).one),
    ],
  };
}

function sizeGoal(what: string, target: number, { gzipped }: Pick<Size, "gzipped">): Goal {
  const measured = gzipped / 1000;
  return { what: `${what}, gzipped`, bound: "at most", target, measured, unit: " kB" };
}

/** ajv's own standalone code for some definitions of upstream's schema. */
function printAjv(names: readonly string[]): string {
  const exports = names.map((name): [string, string] => [
    `validate${name}`,
    `upstream#/$defs/${name}`,
  ]);
  return standalone.default(loadAjv({ source: true }), Object.fromEntries(exports));
}

function definitionNames(): string[] {
  const { schema } = loadAjv().getSchema("upstream")!;
  return Object.keys((schema as { $defs: object }).$defs);
}

function sizeColumns(what: string): string[] {
  return [`${what}, minified`, "gzipped", "vs zod"];
}

function sizeCells(own: Size, peer: Size): string[] {
  return [
    formatSize(own.minified),
    formatSize(own.gzipped),
    formatRatio(peer.gzipped / own.gzipped),
  ];
}
