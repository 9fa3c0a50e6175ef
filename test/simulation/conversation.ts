// Conversations as data, which the driver of each language plays.

/** A conversation of a user, a client and an agent over a wire. Times are milliseconds, sizes bytes. */
export interface Conversation {
  /** Decides the pieces and delays of the wire. */
  readonly seed: number;
  readonly version: 1 | 2;
  readonly acts: readonly Act[];
  readonly wires: { readonly toAgent: Wire; readonly toClient: Wire };
  readonly fault?: Fault;
  /**
   * What carries the messages: bytes, unless a driver also has WebSockets, whose messages are the lines;
   * HTTP, where a cut loses requests and ends streams again and again, and nothing else; or a bridge,
   * whose client speaks version 1.
   */
  readonly over?: "socket" | "http" | "bridge";
}

/** One direction of a wire: a buffer, and pieces of random lengths that arrive after random delays. */
export interface Wire {
  readonly capacity: number;
  /** The greatest length of a piece. */
  readonly chunk: number;
  /** The greatest delay of a piece. */
  readonly delay: number;
}

/** What the client's user does at a time `t` after the connection is open; `s` is a session by its number. */
export type Act = { readonly t: number } & (
  | { readonly op: "new"; readonly s: number; readonly abortMs?: number; readonly program: Opening }
  | ({ readonly op: "prompt"; readonly s: number; readonly size?: number } & Look & {
        readonly program: Program;
        /** When it is sent again, in version 2. */
        readonly retryMs?: number;
      })
  /** In version 1, a session is loaded for its history. */
  | { readonly op: "resume"; readonly s: number; readonly replay?: Opening }
  /** A call that takes `ms` at the agent, which may ask the user meanwhile. */
  | {
      readonly op: "list";
      readonly ms?: number;
      readonly asks?: Question;
      readonly abortMs?: number;
      readonly timeoutMs?: number;
    }
  | {
      readonly op: "cancel" | "cancelTurn" | "mode" | "option" | "close";
      readonly s: number;
    }
);

/** How a user waits for a turn. */
export interface Look {
  readonly look: (typeof LOOKS)[number];
  readonly lookMs?: number;
  readonly abortMs?: number;
}

/**
 * At once, later, by turns with a timer, after `catch`, twice, in a loop, in a loop that is left after two
 * updates, or with a signal that is aborted.
 */
export const LOOKS = ["now", "late", "race", "catch", "twice", "loop", "leave", "signal"] as const;

/** What an agent does when a session is created, or opened again. */
export interface Opening {
  readonly id?: string;
  readonly ms: number;
  /** Updates before the answer, which are the history of a session, and behind it. */
  readonly early: readonly Update[];
  readonly after: readonly Update[];
  readonly fails?: boolean;
}

/** What an agent does with a prompt, whose text it is. */
export interface Program {
  readonly id: string;
  readonly steps: readonly Step[];
  readonly end: "end" | "max_tokens" | "throw" | "fail";
  /** Whether it goes on when it is cancelled. */
  readonly stubborn?: boolean;
  /** Whether it waits for its calls in the background. */
  readonly join?: boolean;
  /** Updates behind the answer, and one that is sent later, whatever happens. */
  readonly after?: readonly Update[];
  readonly late?: { readonly ms: number; readonly step: Update };
}

export type Step = Update | Question | Call | { readonly do: "sleep"; readonly ms: number };

/** How the client handles something, which its text says. */
export interface Handling {
  readonly id: string;
  readonly ms?: number;
  readonly fails?: boolean;
}

/** An update, whose handler may do something itself: cancel, call, prompt, or look at its own turn. */
export interface Update extends Handling {
  readonly do: "text" | "thought" | "tool" | "plan" | "title";
  readonly re?: (typeof REENTRIES)[number];
  readonly size?: number;
}

export const REENTRIES = ["cancel", "list", "prompt", "own"] as const;

/** A question to the user. */
export interface Question extends Handling {
  readonly do: "ask" | "elicit";
  readonly answer: "allow" | "reject" | "throw" | "wait";
  readonly background?: boolean;
  /** Whether a subagent asks, in a session of its own. */
  readonly child?: boolean;
}

/** Another call of the agent; a terminal is created, waited for and released. */
export interface Call extends Handling {
  readonly do: "read" | "write" | "terminal";
  readonly size?: number;
  readonly background?: boolean;
}

/** What happens to the connection, at a time or after so many bytes. */
export interface Fault {
  readonly kind:
    | "cutToClient"
    | "cutToAgent"
    | "clientClose"
    | "agentClose"
    | "agentDies"
    | "clientDies"
    | "stall";
  readonly t: number;
  readonly bytes: number;
  /** How a cut shows. */
  readonly by: "eof" | "error";
  /** How long a stall takes. */
  readonly ms: number;
}
