/** An error, as a driver describes it. */
export interface ErrorFacts {
  readonly kind: "rpc" | "closed" | "timeout" | "aborted" | "other";
  readonly text: string;
  readonly code?: number;
  readonly method?: string;
}

interface States {
  readonly s: string;
  readonly ids: readonly string[];
}

/** What fields can be, and how a value is recognized. */
const VALUES = {
  text: (value: unknown): value is string => typeof value === "string",
  number: (value: unknown): value is number => typeof value === "number",
  flag: (value: unknown): value is boolean => typeof value === "boolean",
  texts: (value: unknown): value is readonly string[] => Array.isArray(value),
  states: (value: unknown): value is readonly States[] => Array.isArray(value),
  error: (value: unknown): value is ErrorFacts =>
    ["rpc", "closed", "timeout", "aborted", "other"].includes((value as ErrorFacts)?.kind),
};

/**
 * The events of a log, with their fields besides `kind` and the time `t`, in milliseconds. Sessions are
 * `s`, programs `p`, the ids of updates, questions and calls `id`; a field that ends with `?` may be absent.
 */
const EVENTS = {
  /** A line was written to the wire, without padding; the next line of this direction was read. */
  sent: { dir: "text", line: "text" },
  arrived: { dir: "text" },
  /** A call of either side, or of the user. `abort` and `timeout` are the times after which it is given up. */
  start: {
    call: "number",
    op: "text",
    "s?": "text",
    "p?": "text",
    "id?": "text",
    "abort?": "number",
    "timeout?": "number",
    "asks?": "text",
  },
  end: { call: "number", ok: "flag", "result?": "text", "error?": "error" },
  /** A prompt, `inside` of a handler of an update or not; each end of the turn that somebody saw; a loop's updates. */
  prompt: { p: "text", s: "text", inside: "flag" },
  turn: { p: "text", by: "text", ok: "flag", "stopReason?": "text", "error?": "error" },
  looped: { p: "text", ids: "texts" },
  /** The user cancels a turn, or all of a session. */
  cancel: { s: "text", "p?": "text" },
  /** The program of a prompt: it begins, its signal is aborted, it ends. */
  run: { p: "text", s: "text" },
  aborted: { p: "text" },
  ran: { p: "text", s: "text" },
  /** The agent sends an update, which may fail. */
  send: { id: "text", s: "text", "p?": "text" },
  refused: { id: "text", error: "error" },
  "closed-session": { s: "text" },
  /** Handlers of the client. */
  handle: { s: "text", "id?": "text", tag: "text" },
  handled: { id: "text" },
  question: { id: "text", what: "text", "p?": "text", "s?": "text" },
  "question-aborted": { id: "text" },
  "question-end": { id: "text" },
  released: { id: "text" },
  /** The connection of a side has ended. */
  closed: { side: "text" },
  fault: {},
  report: { side: "text", error: "error" },
  unhandled: { error: "error" },
  /** Long after the last act, and after the connections were closed: what is left. */
  quiet: { left: "number", "pending?": "number", "running?": "number", "states?": "states" },
  over: { left: "number" },
} as const;

type Events = typeof EVENTS;
export type Kind = keyof Events;
type ValueOf<Name> = Name extends keyof typeof VALUES
  ? (typeof VALUES)[Name] extends (value: unknown) => value is infer Value
    ? Value
    : never
  : never;

/** An event of a log; `n` is its place. */
export type EventOf<K extends Kind> = {
  readonly kind: K;
  readonly n: number;
  readonly t: number;
} & {
  readonly [Field in keyof Events[K] as Field extends `${string}?` ? never : Field]: ValueOf<
    Events[K][Field]
  >;
} & {
  readonly [Field in keyof Events[K] as Field extends `${infer Name}?` ? Name : never]?: ValueOf<
    Events[K][Field]
  >;
};
export type Event = { [K in Kind]: EventOf<K> }[Kind];

/**
 * Reads the log that a driver has printed.
 *
 * @throws Error if it has an event or a field that is not declared, or lacks one
 */
export function readLog(line: string): Event[] {
  const log = JSON.parse(line) as { readonly kind: string }[];
  return log.map((event, n) => {
    const problem = findProblem(event);
    if (problem !== undefined)
      throw new Error(`${problem} in event ${n}: ${JSON.stringify(event)}`);
    return { ...event, n } as Event;
  });
}

function findProblem({ kind, ...fields }: Readonly<Record<string, unknown>>): string | undefined {
  const declared = EVENTS[kind as Kind] as
    Readonly<Record<string, keyof typeof VALUES>> | undefined;
  if (declared === undefined) return "unknown kind";
  const all = { t: "number", ...declared } as const;
  const known = new Map(Object.entries(all).map(([name, type]) => [name.replace("?", ""), type]));
  const unknown = Object.keys(fields).find((name) => !known.has(name));
  if (unknown !== undefined) return `unknown field ${unknown}`;
  const missing = Object.keys(all).find(
    (name) => !name.endsWith("?") && fields[name] === undefined,
  );
  if (missing !== undefined) return `no ${missing}`;
  const wrong = Object.entries(fields).find(([name, value]) => !VALUES[known.get(name)!](value));
  return wrong && `invalid ${wrong[0]}`;
}
