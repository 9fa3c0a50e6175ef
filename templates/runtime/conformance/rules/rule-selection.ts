import type { RuleCheck } from "./rule.js";
import type { Step } from "../step.js";

/** Rules by what they look at, so that a step meets only those that may object to it. */
export class RuleSelection<Rule extends { readonly check: RuleCheck }> {
  readonly #byKind = new Map<Step["kind"], OfKind<Rule>>();

  constructor(rules: readonly Rule[]) {
    for (const kind of KINDS) {
      const meant = rules.filter(({ check }) => check.scope?.kinds.includes(kind) ?? true);
      const methods = new Set(meant.flatMap(({ check }) => check.scope?.methods ?? []));
      const of = (name: string | undefined): Rule[] =>
        meant.filter(({ check }) => {
          const only = check.scope?.methods;
          return only === undefined || (name !== undefined && only.includes(name));
        });
      this.#byKind.set(kind, {
        byMethod: new Map([...methods].map((name) => [name, of(name)])),
        others: of(undefined),
      });
    }
  }

  /** In the order in which the rules were given. */
  of({ kind, method }: Step): readonly Rule[] {
    const { byMethod, others } = this.#byKind.get(kind)!;
    return byMethod.get(method) ?? others;
  }
}

interface OfKind<Rule> {
  readonly byMethod: ReadonlyMap<string, readonly Rule[]>;
  /** Those about any method. */
  readonly others: readonly Rule[];
}

const KINDS: readonly Step["kind"][] = [
  ...(["request", "notification", "result", "error", "other", "end"] as const),
];
