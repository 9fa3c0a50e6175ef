import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ourDecoders, ourTypes, ROOT, sdkZod } from "../paths.js";
import { formatRatio, type Report } from "../report.js";

interface Effort {
  readonly name: string;
  /** What `tsc --extendedDiagnostics` prints, by name. */
  readonly figures: { readonly [name: string]: string };
}

const TYPES = "our types alone";
const DECODERS = "our types and decoders";
const NOTHING = "nothing";
const FIGURES = ["Instantiations", "Types", "Symbols", "Memory used", "Check time"];

const OPTIONS = {
  target: "ES2022",
  module: "NodeNext",
  moduleResolution: "NodeNext",
  types: [],
  strict: true,
  noEmit: true,
};

/** What the compiler of a program that uses the decoders has to do. */
export function compareTypeChecks(): Report {
  const folder = mkdtempSync(join(tmpdir(), "acp-codegen-bench-"));
  try {
    const efforts = Object.entries(programs()).map(([name, text], index): Effort => {
      const file = join(folder, `program-${index}.ts`);
      const project = join(folder, `tsconfig-${index}.json`);
      writeFileSync(file, text);
      writeFileSync(project, JSON.stringify({ compilerOptions: OPTIONS, files: [file] }));
      return { name, figures: readFigures(typeCheck(project)) };
    });
    const countOf = (name: string): number =>
      instantiations(efforts.find((effort) => effort.name === name)!);
    const types = countOf(TYPES);
    return {
      title: "Type-checking a program that handles a session update",
      notes: [
        "tsc --extendedDiagnostics, strict, otherwise as tsc does by itself: all declarations are checked, those of JavaScript and browsers too",
        "the same program around each import; vs: instantiations by those with our types alone",
      ],
      columns: ["imports", ...FIGURES, "vs our types", "above nothing"],
      rows: efforts.map((effort) => [
        effort.name,
        ...FIGURES.map((figure) => effort.figures[figure] ?? ""),
        formatRatio(instantiations(effort) / types),
        `${instantiations(effort) - countOf(NOTHING)}`,
      ]),
      goals: [
        {
          what: "instantiations with decoders, times with types alone",
          bound: "at most",
          target: 1.1,
          measured: countOf(DECODERS) / types,
          unit: "×",
        },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The same work on a value that somebody has typed, that we decode, that zod parses. */
function programs(): { readonly [name: string]: string } {
  const types = `import type { SessionNotification } from ${JSON.stringify(ourTypes())};`;
  const decoders = `import { decodeSessionNotification } from ${JSON.stringify(ourDecoders())};`;
  const zod = `import { zSessionNotification } from ${JSON.stringify(sdkZod())};`;
  const text = `update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? update.content.text : ""`;
  return {
    [NOTHING]: "export {};",
    [TYPES]: `${types}
      export function textOf({ update }: SessionNotification): string {
        return ${text};
      }`,
    [DECODERS]: `${types} ${decoders}
      export function textOf(value: unknown): string {
        const result = decodeSessionNotification(value);
        if (!result.ok) return result.errors[0]?.path ?? "";
        const { update } = result.value;
        return ${text};
      }
      export type Known = SessionNotification;`,
    "the SDK's zod schemas": `${zod}
      export function textOf(value: unknown): string {
        const { update } = zSessionNotification.parse(value);
        return ${text};
      }`,
  };
}

function typeCheck(project: string): string {
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const args = [compiler, "-p", project, "--extendedDiagnostics"];
  try {
    return execFileSync(process.execPath, args, { encoding: "utf8" });
  } catch (error) {
    throw new Error(`tsc refuses a program: ${(error as { stdout?: string }).stdout ?? ""}`);
  }
}

function readFigures(printed: string): { [name: string]: string } {
  const lines = [...printed.matchAll(/^([A-Z][^:]*):\s+(\S+)$/gm)];
  return Object.fromEntries(lines.map(([, name, figure]) => [name!, figure!]));
}

function instantiations({ figures }: Effort): number {
  return Number(figures["Instantiations"]);
}
