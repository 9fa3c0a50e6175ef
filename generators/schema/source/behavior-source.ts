import type { JsonObject, Json } from "../json-schema/json.js";

/** Scripts of wire messages that show the behavior of agents and clients, from `schema/behavior/`. */
export interface BehaviorSource {
  /** The rules that scripts show, by id. */
  readonly rules: { readonly [id: string]: BehaviorRule };
  readonly scripts: readonly ScriptSource[];
}

/** A rule of behavior. */
export interface BehaviorRule {
  /** The requirement, in one sentence. */
  readonly title: string;
  /** The page of the site that states it, below the profile's folder. */
  readonly page: string;
}

/** The side that a script tests; the driver plays the other one. */
export type Subject = "agent" | "client";

/** Whether the protocol requires a behavior or recommends it. */
export type ScriptLevel = "must" | "should";

/** One script, before it is expanded for a profile (dialect: `behavior.schema.json`). */
export interface ScriptSource {
  /** Unique among the scripts of a subject. */
  readonly id: string;
  readonly subject: Subject;
  /** The behavior that it shows, in one sentence. */
  readonly says: string;
  /** The id of the rule that it shows. */
  readonly rule: string;
  readonly level: ScriptLevel;
  /** The protocol versions that it holds for; all when absent. */
  readonly versions?: readonly number[];
  /** Whether every agent can pass it, or only the one with the fixed behaviors. */
  readonly any?: boolean;
  /** Methods that a profile must have besides those of the steps. */
  readonly methods?: readonly string[];
  /** Features that a profile must have. */
  readonly features?: readonly string[];
  /** Paths in the capabilities that the subject must have advertised, e.g. `loadSession`. */
  readonly needs?: readonly string[] | { readonly [version: string]: readonly string[] };
  /** Messages that may come at any time and are ignored. */
  readonly skip?: readonly JsonObject[];
  /** Rules of the inspector that the subject cannot keep in this script. */
  readonly breaks?: readonly string[];
  readonly steps: readonly StepSource[];
}

/** A script that plays a side for tests of the other one (dialect: `mock` in `behavior.schema.json`). */
export interface MockScript {
  /** What happens in it. */
  readonly says?: string;
  /** The `protocolVersion` on the wire; 1 by default. */
  readonly version?: number;
  /** Messages that may come at any time and are ignored. */
  readonly skip?: readonly Json[];
  /** The answers to requests that may come at any time. */
  readonly replies?: readonly {
    readonly to: Json;
    readonly send: JsonObject | readonly JsonObject[];
  }[];
  readonly steps: readonly StepSource[];
  /** The exit code after the last step; without it, a mock stays until its input ends. */
  readonly exit?: number;
}

/**
 * A step: one of a played script, or an abbreviation that stands for several of them in the form of
 * the profile's version; see `emit/behavior`.
 */
export type StepSource = string | { readonly [name: string]: Json };
