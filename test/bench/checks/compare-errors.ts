import type { AnyValidateFunction, ErrorObject } from "ajv/dist/types/index.js";
import type { ZodType } from "zod/v4";
import { jsonPointer } from "../../../generators/schema/problem.js";
import { bindings, importFile, sdkZod } from "../paths.js";
import type { Report } from "../report.js";
import { summarize } from "../interleave.js";
import { AJV, loadAjv, OURS, ZOD } from "./libraries.js";
import { loadSamples, type Sample } from "./samples.js";

/** A library's report on an invalid value. */
interface Diagnosis {
  /** JSON pointers of what it lists, in its order. */
  readonly places: readonly string[];
  /** How many mistakes it tells of, those of the variants of a union included. */
  readonly count: number;
  /** The message, as it would go into a log or a response. */
  readonly report: unknown;
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

/** How often the first error tells where the mistake is, and how long the report is. */
export async function compareErrors(): Promise<Report> {
  const mutations = readMutations(loadSamples().invalid);
  const inside = mutations.filter(
    ({ def, place }) => def === "SessionNotification" && place.startsWith("/update/"),
  );
  const rows = (await loadDiagnosers()).map(({ name, diagnose }) => {
    const diagnoses = diagnosesOf(diagnose, mutations);
    const within = diagnosesOf(diagnose, inside);
    return {
      name,
      hits: share(diagnoses, ({ mutation, places }) => isAt(places[0] ?? "", mutation)),
      bytes: summarize(diagnoses.map(({ report }) => JSON.stringify(report).length)),
      single: share(
        within,
        ({ mutation, places, count }) => count === 1 && isAt(places[0] ?? "", mutation),
      ),
      counts: summarize(within.map(({ count }) => count)),
      misses: kindsOf(diagnoses.filter((one) => !isAt(one.places[0] ?? "", one.mutation))),
    };
  });
  const own = rows.find(({ name }) => name === OURS)!;
  return {
    title: "Validators: the errors of invalid values",
    notes: [
      `${mutations.length} values of the corpus with one mistake each, whose place is known; ${inside.length} of them inside a session update`,
      "hit: the first error is at the place; for what ajv finds missing, the missing property counts as its place",
      "single: one error in all, and it is a hit; errors that a library lists below a union count as well",
      `${own.name} misses: ${own.misses}`,
    ],
    columns: [
      "validator",
      "hits",
      "report, median",
      "quartiles",
      "updates: single",
      "errors, median",
    ],
    rows: rows.map(({ name, hits, bytes, single, counts }) => [
      name,
      `${hits.toFixed(1)} %`,
      `${bytes.median.toFixed(0)} bytes`,
      `${bytes.lower.toFixed(0)} to ${bytes.upper.toFixed(0)}`,
      `${single.toFixed(1)} %`,
      counts.median.toFixed(0),
    ]),
    claim: [
      "a wrong field in an update: one error, at its place",
      `${own.single.toFixed(0)} %`,
      `${rows.find(({ name }) => name === ZOD)!.single.toFixed(0)} %`,
    ],
    goals: [
      {
        what: "first error at the place of the mistake",
        bound: "at least",
        target: 95,
        measured: own.hits,
        unit: " %",
      },
      {
        what: "report as JSON, median",
        bound: "at most",
        target: 99,
        measured: own.bytes.median,
        unit: " bytes",
      },
      {
        what: "inside an update: exactly one error, at the place",
        bound: "at least",
        target: 100,
        measured: own.single,
        unit: " %",
      },
    ],
  };
}

async function loadDiagnosers(): Promise<Diagnoser[]> {
  const ours = await importFile<Schema>(bindings("v1/schemas"));
  const zod = await importFile<ZodType>(sdkZod());
  const ajv = loadAjv();
  return [
    {
      name: OURS,
      diagnose: (def, value) => {
        const errors = ours[def]!.issues(value);
        return {
          places: errors.map(({ pointer }) => pointer),
          count: errors.length,
          report: errors,
        };
      },
    },
    {
      name: ZOD,
      diagnose: (def, value) => {
        const issues: readonly Issue[] = zod[`z${def}`]!.safeParse(value).error?.issues ?? [];
        const places = issues.map(({ path }) => jsonPointer(path.map(String)));
        return { places, count: countIssues(issues), report: issues };
      },
    },
    {
      name: AJV,
      diagnose: (def, value) => {
        const validate = ajv.getSchema(`upstream#/$defs/${def}`) as AnyValidateFunction;
        void validate(value);
        const errors = validate.errors ?? [];
        return { places: errors.map(placeOf), count: errors.length, report: errors };
      },
    },
  ];
}

function diagnosesOf(
  diagnose: Diagnoser["diagnose"],
  mutations: readonly Mutation[],
): (Diagnosis & { readonly mutation: Mutation })[] {
  return mutations.map((mutation) => ({ mutation, ...diagnose(mutation.def, mutation.value) }));
}

function placeOf({ instancePath, keyword, params }: ErrorObject): string {
  if (keyword !== "required") return instancePath;
  return instancePath + jsonPointer([(params as { missingProperty: string }).missingProperty]);
}

/** An issue of a union holds those of its variants; it counts as what they are, or as itself. */
function countIssues(issues: readonly Issue[]): number {
  return issues.reduce((sum, { errors = [] }) => sum + Math.max(1, countIssues(errors.flat())), 0);
}

function share<T>(items: readonly T[], predicate: (item: T) => boolean): number {
  return (100 * items.filter(predicate).length) / items.length;
}

/** `3 × delete, 1 × null`, the most common first. */
function kindsOf(diagnoses: readonly { readonly mutation: Mutation }[]): string {
  const counts = new Map<string, number>();
  for (const { mutation } of diagnoses)
    counts.set(mutation.kind, (counts.get(mutation.kind) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.map(([kind, count]) => `${count} × ${kind}`).join(", ") || "none";
}

/** An invalid value of the corpus: one thing has been done to a valid one. */
interface Mutation extends Sample {
  readonly kind: string;
  /** JSON pointer of the place; `[]` stands for an index. */
  readonly place: string;
}

/** The samples that say what has been done to them and where. */
function readMutations(samples: readonly Sample[]): Mutation[] {
  return samples.flatMap((sample): Mutation[] => {
    const { kind, pointer } =
      /^(?<kind>.+) at (?<pointer>\/\S*)( \(.*\))?$/.exec(sample.why ?? "")?.groups ?? {};
    if (kind !== undefined && pointer !== undefined) {
      // The item is added at the end of the list that is named.
      const item = kind === "bad array item" ? "/[]" : "";
      return [{ ...sample, kind, place: `${pointer.replace(/\/$/, "")}${item}` }];
    }
    const isWhole = sample.why?.startsWith("not an object") ?? false;
    return isWhole ? [{ ...sample, kind: "not an object", place: "" }] : [];
  });
}

/** Whether a JSON pointer leads to the place of a mutation. */
function isAt(pointer: string, { place }: Mutation): boolean {
  const wanted = place.split("/");
  const found = pointer.split("/");
  return (
    wanted.length === found.length &&
    wanted.every((step, index) => step === found[index] || isIndex(step, found[index]!))
  );
}

function isIndex(step: string, found: string): boolean {
  return step === "[]" && /^\d+$/.test(found);
}
