import type { Finding, Side } from "./inspector-api.js";

/** The findings of a line. */
export interface LineReport {
  readonly line: number;
  /** Who sent the message; absent without one. */
  readonly from?: Side;
  readonly kind?: "request" | "notification" | "response" | "invalid";
  readonly method?: string;
  /** Absent in a later report about an earlier line. */
  readonly verdict?: "valid" | "repaired" | "invalid" | "unreadable";
  readonly findings: readonly Finding[];
}

/** The messages of one method in one direction. */
export interface MethodCounts {
  readonly from: Side;
  readonly kind: string;
  readonly method: string;
  readonly messages: number;
  readonly valid: number;
  readonly repaired: number;
  readonly invalid: number;
  /** The number of findings about them. */
  readonly rulesBroken: number;
}

export interface RuleCounts {
  readonly rule: string;
  readonly level: Finding["level"];
  readonly count: number;
}

/** The statistics of a transcript. */
export interface Statistics {
  readonly messages: number;
  readonly valid: number;
  readonly repaired: number;
  readonly invalid: number;
  /** Lines that cannot be read as JSON. */
  readonly unreadable: number;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** By direction and method, in the order in which they were first seen. */
  readonly methods: readonly MethodCounts[];
  /** By rule, the most frequent first. */
  readonly rules: readonly RuleCounts[];
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The number of method names that are counted separately, since a peer can send any number. */
const MAX_NAMES = 500;
const OTHERS = "(others)";

/** Counts reports in bounded memory. */
export class StatisticsCounter {
  readonly #total = {
    ...{ messages: 0, valid: 0, repaired: 0, invalid: 0, unreadable: 0 },
    ...{ errors: 0, warnings: 0, notes: 0 },
  };
  readonly #methods = new Map<string, Mutable<MethodCounts>>();
  readonly #rules = new Map<string, Mutable<RuleCounts>>();

  add(report: LineReport): void {
    const { verdict, from, kind, method = "", findings } = report;
    const total = this.#total;
    let row: Mutable<MethodCounts> | undefined;
    if (verdict === "unreadable") total.unreadable += 1;
    else if (verdict !== undefined && from !== undefined && kind !== undefined) {
      row = this.#row(from, kind, method);
      for (const counts of [row, total]) {
        counts.messages += 1;
        counts[verdict] += 1;
      }
    }
    for (const { rule, level } of findings) {
      total[LEVELS[level]] += 1;
      if (row !== undefined && level !== "note") row.rulesBroken += 1;
      this.#rule(rule, level).count += 1;
    }
  }

  result(): Statistics {
    const rules = [...this.#rules.values()].sort(
      (a, b) => b.count - a.count || (a.rule < b.rule ? -1 : 1),
    );
    return { ...this.#total, methods: [...this.#methods.values()], rules };
  }

  #row(from: Side, kind: string, name: string): Mutable<MethodCounts> {
    const method = this.#methods.size < MAX_NAMES ? name : OTHERS;
    const known = this.#methods.get(`${from} ${kind} ${name}`);
    if (known !== undefined) return known;
    const key = `${from} ${kind} ${method}`;
    const row = this.#methods.get(key) ?? {
      ...{ from, kind, method, messages: 0 },
      ...{ valid: 0, repaired: 0, invalid: 0, rulesBroken: 0 },
    };
    this.#methods.set(key, row);
    return row;
  }

  #rule(rule: string, level: Finding["level"]): Mutable<RuleCounts> {
    const key = `${level} ${rule}`;
    const row = this.#rules.get(key) ?? { rule, level, count: 0 };
    this.#rules.set(key, row);
    return row;
  }
}

const LEVELS = { error: "errors", warning: "warnings", note: "notes" } as const;
