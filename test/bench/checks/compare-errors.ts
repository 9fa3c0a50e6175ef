import type { ZodType } from "zod/v4";
import { jsonPointer } from "../../../generators/schema/problem.js";
import { bindings, importFile, sdkZod } from "../paths.js";
import type { Report } from "../report.js";
import { OURS, ZOD } from "./libraries.js";
import { isAt, readMutations } from "./mutations.js";
import { loadSamples } from "./samples.js";

/** A library's report on an invalid value. */
interface Diagnosis {
  /** JSON pointers of what it lists, in its order. */
  readonly places: readonly string[];
  /** How many mistakes it tells of, those of the variants of a union included. */
  readonly count: number;
}

interface Diagnoser {
  readonly name: string;
  readonly diagnose: (def: string, value: unknown) => Diagnosis;
}

interface Schema {
  readonly issues: (value: unknown) => readonly { readonly pointer: string }[];
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly errors?: readonly (readonly Issue[])[];
}

/** How often a mistake inside an update gets exactly one error, at its place. */
export async function compareErrors(): Promise<Report> {
  const mutations = readMutations(loadSamples().invalid).filter(
    ({ def, place }) => def === "SessionNotification" && place.startsWith("/update/"),
  );
  const shares = (await loadDiagnosers()).map(({ name, diagnose }) => {
    const single = mutations.filter((mutation) => {
      const { places, count } = diagnose(mutation.def, mutation.value);
      return count === 1 && isAt(places[0] ?? "", mutation);
    });
    return { name, share: (100 * single.length) / mutations.length };
  });
  return {
    title: "Validators: the errors of invalid updates",
    notes: [
      `${mutations.length} values of the corpus with one mistake each, inside a session update, whose place is known`,
      "single: one error in all, at the place; errors that a library lists below a union count as well",
    ],
    columns: ["validator", "single"],
    rows: shares.map(({ name, share }) => [name, `${share.toFixed(1)} %`]),
    goals: [
      {
        what: "inside an update: exactly one error, at the place",
        bound: "at least",
        target: 100,
        measured: shares.find(({ name }) => name === OURS)!.share,
        unit: " %",
      },
    ],
  };
}

async function loadDiagnosers(): Promise<Diagnoser[]> {
  const ours = await importFile<Schema>(bindings("v1/schemas"));
  const zod = await importFile<ZodType>(sdkZod());
  return [
    {
      name: OURS,
      diagnose: (def, value) => {
        const errors = ours[def]!.issues(value);
        return {
          places: errors.map(({ pointer }) => pointer),
          count: errors.length,
        };
      },
    },
    {
      name: ZOD,
      diagnose: (def, value) => {
        const issues: readonly Issue[] = zod[`z${def}`]!.safeParse(value).error?.issues ?? [];
        const places = issues.map(({ path }) => jsonPointer(path.map(String)));
        return { places, count: countIssues(issues) };
      },
    },
  ];
}

/** An issue of a union holds those of its variants; it counts as what they are, or as itself. */
function countIssues(issues: readonly Issue[]): number {
  return issues.reduce((sum, { errors = [] }) => sum + Math.max(1, countIssues(errors.flat())), 0);
}
