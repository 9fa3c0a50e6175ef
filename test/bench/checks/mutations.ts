import type { Sample } from "./samples.js";

/** An invalid value of the corpus: one thing has been done to a valid one. */
export interface Mutation extends Sample {
  readonly kind: string;
  /** JSON pointer of the place; `[]` stands for an index. */
  readonly place: string;
}

/** The samples that say what has been done to them and where. */
export function readMutations(samples: readonly Sample[]): Mutation[] {
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
export function isAt(pointer: string, { place }: Mutation): boolean {
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
