import type { BehaviorRule, ScriptLevel, Subject } from "../../schema/source/behavior-source.js";
import type { Json, JsonObject } from "../../schema/json-schema/json.js";

/** A script of wire messages in the form of one profile, as it is played and published. */
export interface BehaviorScript {
  /** Unique in a profile: the subject and a name. */
  readonly id: string;
  readonly subject: Subject;
  /** The behavior that it shows, in one sentence. */
  readonly says: string;
  readonly rule: string;
  readonly level: ScriptLevel;
  /** The `protocolVersion` on the wire. */
  readonly version: number;
  /** Whether the subject must have the fixed behaviors of a testee. */
  readonly testee: boolean;
  /** Whether a turn of the agent needs a prompt that the user of the driver gives. */
  readonly prompted?: true;
  /** Paths in the initialize message of the subject that it must have advertised. */
  readonly needs?: readonly string[];
  /** Messages that may come at any time and are ignored. */
  readonly skip?: readonly MessagePattern[];
  /** The answers to requests that may come at any time. */
  readonly replies?: readonly Reply[];
  /** Rules of the inspector that the subject cannot keep in this script. */
  readonly breaks?: readonly string[];
  readonly steps: readonly ScriptStep[];
}

/** The answer to every request that matches, with what comes before it; `$id` is the request's id. */
export interface Reply {
  readonly to: MessagePattern;
  readonly send: JsonObject | readonly JsonObject[];
}

/**
 * A part of a message. A string that begins with `$` is the value of a variable where there is one,
 * and `${name}` is replaced in other strings. An object matches an object with at least its
 * members, a list one of the same length, and an object with one of these members what it says:
 * `$let` any value, kept as a variable; `$any`; `$absent`; `$in` one of several; `$not` another
 * pattern; `$has` a text that contains another; `$size` a list of this length; `$items` a list
 * with these items among others.
 */
export type MessagePattern = Json;

/** One step of a script. */
export type ScriptStep =
  /** Sends a message, or several in one write; `jsonrpc` is added to messages without it. */
  | { readonly send: JsonObject | readonly JsonObject[] }
  /** Sends text as it is, in pieces that end before each of the bytes `cut`, with a pause between them. */
  | { readonly sendText: string; readonly cut?: readonly number[] }
  /** Sends bytes, as hexadecimal digits. */
  | { readonly sendHex: string }
  /** Sends a message many times in one write; `$n` is the number of each. */
  | { readonly flood: JsonObject; readonly count: number }
  /**
   * Waits for the next message and requires that it matches, and that its text lacks `without`. When
   * it matches `race` instead, it was under way before, and nothing is tested. One that matches
   * `among` is not skipped.
   */
  | {
      readonly expect: MessagePattern;
      readonly skip?: readonly MessagePattern[];
      readonly without?: string;
      readonly race?: MessagePattern;
      readonly among?: MessagePattern;
    }
  /** Waits for messages that match in this order; `$n` is the number of each. */
  | {
      readonly expectEach: MessagePattern;
      readonly count: number;
      readonly skip?: readonly MessagePattern[];
    }
  /** Waits for messages that match, in any order. */
  | { readonly expectAll: readonly MessagePattern[]; readonly skip?: readonly MessagePattern[] }
  /** Requires that no message comes that matches, for some milliseconds. */
  | { readonly expectNone: MessagePattern; readonly within: number }
  | { readonly pause: number }
  /** Ends the input of the subject. */
  | { readonly close: true }
  /** Waits until the process has ended, at most so many milliseconds, with this exit code if given. */
  | { readonly expectExit: number; readonly code?: number }
  /** Stops reading the output of the subject, or closes it for good. */
  | { readonly output: "pause" | "resume" | "close" }
  /** Sends a signal to the subject. */
  | { readonly signal: string };

/** The scripts of one profile, with the rules that they show. */
export interface ScriptedBehavior {
  readonly rules: { readonly [id: string]: BehaviorRule };
  readonly scripts: readonly BehaviorScript[];
}
