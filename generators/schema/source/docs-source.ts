import type { Json, JsonObject } from "../json-schema/json.js";

/** The site's texts beyond the schema, from `schema/docs/` (dialect: `docs.schema.json`). */
export interface DocsSource {
  /** Protocol versions that are drafts, each with the sentence that its pages show. */
  readonly drafts: { readonly [version: string]: string };
  /** The codes that a method fails with, by its name. */
  readonly errors: { readonly [method: string]: readonly ErrorSource[] };
  /** The next step of each side, by method. */
  readonly after: { readonly [method: string]: readonly AfterSource[] };
  readonly flows: readonly FlowSource[];
  /** One per protocol version. */
  readonly lifecycle: readonly LifecycleSource[];
  readonly conventions: readonly ConventionSource[];
  readonly betweenVersions: readonly BetweenVersionsSource[];
  readonly formerNames: readonly FormerNameSource[];
  /** Words that people use for each other, separated by blanks. */
  readonly alike: readonly string[];
  /** By the address of a page or section below its profile: words of questions that it answers. */
  readonly asked: { readonly [address: string]: string };
  readonly moved: readonly MovedSource[];
}

/** An entry that may belong to some protocol versions only; to all when that is absent. */
export interface Versioned {
  readonly only?: readonly string[];
}

export interface ErrorSource extends Versioned {
  readonly code: number;
  readonly when: string;
}

export interface AfterSource extends Versioned {
  readonly text: string;
}

/** A conversation, message by message. */
export interface FlowSource extends Versioned {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  /** Features that must be on. */
  readonly features?: readonly string[];
  readonly steps: readonly FlowStepSource[];
}

/** One message: `method` and `params`, or `answers` and either `result` or `error`. */
export interface FlowStepSource {
  readonly from: "client" | "agent";
  readonly note: string;
  readonly method?: string;
  readonly params?: Json;
  /** The method that a response is to: its last request that is still open. */
  readonly answers?: string;
  readonly result?: Json;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The states of a session and the ways between them. */
export interface LifecycleSource extends Versioned {
  readonly summary: string;
  readonly notes?: readonly string[];
  readonly states: readonly StateSource[];
  readonly transitions: readonly TransitionSource[];
}

export interface StateSource {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** The position in the diagram, from the left and from the top. */
  readonly column: 0 | 1;
  readonly row: number;
}

export interface TransitionSource {
  readonly from: string;
  readonly to: string;
  /** The triggers; any one of them is enough. */
  readonly steps: readonly TransitionStepSource[];
}

export interface TransitionStepSource {
  readonly by: "client" | "agent";
  /** The content of the message or response. */
  readonly method: string;
  readonly text: string;
}

/** A rule of conduct with its reason. */
export interface ConventionSource extends Versioned {
  readonly id: string;
  readonly area: string;
  readonly level: "required" | "recommended" | "allowed";
  readonly rule: string;
  readonly reason: string;
  readonly methods: readonly string[];
  readonly valid: readonly MessageExample[];
  readonly invalid: readonly MessageExample[];
}

/** An example of a rule: a whole message, or a text where no single message shows it. */
export interface MessageExample extends Versioned {
  readonly note: string;
  readonly from?: "client" | "agent";
  readonly message?: JsonObject;
  /** The check that rejects an invalid message. */
  readonly breaks?: "schema" | "rule";
}

/** The successors of methods and types in a later version. */
export interface BetweenVersionsSource {
  readonly from: string;
  readonly to: string;
  /** Methods and types of the earlier version. */
  readonly before: readonly string[];
  /** Those of the later version; the first one takes the place of those before. */
  readonly after: readonly string[];
  readonly text: string;
}

/** A method of an earlier draft, which programs still send. */
export interface FormerNameSource {
  readonly name: string;
  /** The method of today. */
  readonly to: string;
  readonly text: string;
}

/** A removed page or, with an id, a removed part of a page. */
export interface MovedSource extends Versioned {
  readonly page: string;
  readonly id?: string;
  /** A page below the profile's folder, perhaps with `#` and an id. */
  readonly to?: string;
  readonly text: string;
}

/** The documentation of a schema that has none. */
export const NO_DOCS: DocsSource = {
  drafts: {},
  errors: {},
  after: {},
  flows: [],
  lifecycle: [],
  conventions: [],
  betweenVersions: [],
  formerNames: [],
  alike: [],
  asked: {},
  moved: [],
};

/** Checks that an entry belongs to a protocol version. */
export function isOf({ only }: Versioned, version: string): boolean {
  return only === undefined || only.includes(version);
}
