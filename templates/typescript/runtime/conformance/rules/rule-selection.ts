import { UPDATE, type RuleCheck } from "./rule.js";
import type { TranscriptStep } from "../step.js";

/** Rules by what they look at, so that a step meets only those that may object to it. */
export class RuleSelection<Rule extends { readonly check: RuleCheck }> {
  readonly #byKind = new Map<TranscriptStep["kind"], OfKind<Rule>>();

  constructor(rules: readonly Rule[]) {
    for (const kind of KINDS) {
      const meant = rules.filter(({ check }) => check.scope?.kinds.includes(kind) ?? true);
      const of = (name: string | undefined): Rule[] =>
        meant.filter(({ check }) => isAmong(name, check.scope?.methods));
      this.#byKind.set(kind, {
        byMethod: new Map(namesOf(meant, "methods").map((name) => [name, of(name)])),
        byUpdate: byUpdate(of(UPDATE)),
        others: of(undefined),
      });
    }
  }

  /** In the order in which the rules were given. */
  of({ kind, method, update }: TranscriptStep): readonly Rule[] {
    const { byMethod, byUpdate, others } = this.#byKind.get(kind)!;
    if (method === UPDATE) return byUpdate.get(update) ?? byUpdate.get("")!;
    return byMethod.get(method) ?? others;
  }
}

/** The rules of one kind of step. */
interface OfKind<Rule> {
  readonly byMethod: ReadonlyMap<string, readonly Rule[]>;
  /** Those about `session/update` by the kind of the update; the empty one stands for all others. */
  readonly byUpdate: ReadonlyMap<string, readonly Rule[]>;
  /** Those about any method. */
  readonly others: readonly Rule[];
}

function byUpdate<Rule extends { readonly check: RuleCheck }>(
  rules: readonly Rule[],
): OfKind<Rule>["byUpdate"] {
  const of = (name: string | undefined): Rule[] =>
    rules.filter(({ check }) => isAmong(name, check.scope?.updates));
  const named = namesOf(rules, "updates").map((name) => [name, of(name)] as const);
  return new Map([...named, ["", of(undefined)]]);
}

/** Returns whether a name is one of a scope; undefined stands for one that no scope has. */
function isAmong(name: string | undefined, names: readonly string[] | undefined): boolean {
  return names === undefined || (name !== undefined && names.includes(name));
}

function namesOf(
  rules: readonly { readonly check: RuleCheck }[],
  part: "methods" | "updates",
): readonly string[] {
  return [...new Set(rules.flatMap(({ check }) => check.scope?.[part] ?? []))];
}

const KINDS: readonly TranscriptStep["kind"][] = [
  ...(["request", "notification", "result", "error", "other", "end"] as const),
];
