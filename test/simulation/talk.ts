import type { Conversation, Handling, Program } from "./conversation.js";
import type { Event, EventOf, Kind } from "./log.js";

interface Moment {
  readonly n: number;
  readonly t: number;
}

/** A message, with what rules need of it. */
export interface Message {
  readonly dir: "toAgent" | "toClient";
  readonly sent: Moment;
  arrived?: Moment;
  readonly id?: number | string | undefined;
  readonly method?: string | undefined;
  readonly s?: string | undefined;
  /** The kind of an update, and the id of the step that sent it. */
  readonly tag?: string | undefined;
  readonly step?: string | undefined;
  /** The program of a prompt. */
  readonly p?: string | undefined;
  /** The outcome, action or stop reason of a result; the session that it creates. */
  readonly result?: string | undefined;
  readonly created?: string | undefined;
  readonly error?: number | undefined;
  answer?: Message;
  /** How many responses a request has. */
  answers: number;
}

/** A prompt, with all that belongs to it. */
export interface Turn {
  readonly p: string;
  readonly s: string;
  readonly program: Program | undefined;
  readonly prompt: EventOf<"prompt">;
  readonly request: Message | undefined;
  readonly answer: Message | undefined;
  readonly run: EventOf<"run"> | undefined;
  readonly ran: EventOf<"ran"> | undefined;
  readonly ends: readonly EventOf<"turn">[];
}

export interface CallFacts {
  readonly start: EventOf<"start">;
  readonly end: EventOf<"end"> | undefined;
}

/** A conversation that was played, with its log in the terms of the rules. */
export class Talk {
  readonly conversation: Conversation;
  readonly log: readonly Event[];
  readonly messages: readonly Message[];
  readonly turns: readonly Turn[];
  readonly calls: readonly CallFacts[];
  /** All steps of programs, by their ids. */
  readonly steps: ReadonlyMap<string, Handling>;
  /** Whether nothing has ended or cut the connection before all was quiet. */
  readonly isWhole: boolean;
  /** The place of the event after which the driver closes the connection. */
  readonly quietAt: number;
  /** The version that the client speaks. */
  readonly clientVersion: 1 | 2;
  readonly #events = new Map<Kind, Event[]>();

  constructor(conversation: Conversation, log: readonly Event[]) {
    this.conversation = conversation;
    this.log = log;
    for (const event of log)
      this.#events.set(event.kind, [...(this.#events.get(event.kind) ?? []), event]);
    const { fault, acts, over, version } = conversation;
    this.clientVersion = over === "bridge" ? 1 : version;
    const isMended = over === "http" && fault?.kind.startsWith("cut");
    this.isWhole = fault === undefined || fault.kind === "stall" || isMended === true;
    this.quietAt = this.of("quiet")[0]?.n ?? Infinity;
    this.messages = this.#readMessages();
    const ends = new Map(this.of("end").map((end) => [end.call, end]));
    this.calls = this.of("start").map((start) => ({ start, end: ends.get(start.call) }));
    this.steps = new Map(stepsOf(acts).map((step) => [step.id, step]));
    const programs = new Map(
      acts.flatMap((act) => (act.op === "prompt" ? [[act.program.id, act.program]] : [])),
    );
    const requests = new Map(this.messages.flatMap((one) => (one.p ? [[one.p, one]] : [])));
    this.turns = this.of("prompt").map((prompt) => {
      const { p, s } = prompt;
      const is = (event: { readonly p: string }): boolean => event.p === p;
      const [run, ran] = [this.of("run").find(is), this.of("ran").find(is)];
      const request = requests.get(p);
      const ended = this.of("turn").filter(is);
      const program = programs.get(p);
      return { p, s, program, prompt, request, answer: request?.answer, run, ran, ends: ended };
    });
  }

  of<K extends Kind>(kind: K): readonly EventOf<K>[] {
    return (this.#events.get(kind) ?? []) as unknown as readonly EventOf<K>[];
  }

  /** Returns the side that has died, whose calls and handlers nobody sees. */
  isDead(side: "agent" | "client"): boolean {
    return this.conversation.fault?.kind === `${side}Dies`;
  }

  #readMessages(): Message[] {
    const messages: Message[] = [];
    const waiting: Record<string, Message[]> = { toAgent: [], toClient: [] };
    const open = new Map<string, Message>();
    for (const event of this.log) {
      if (event.kind === "arrived") {
        waiting[event.dir]!.shift()!.arrived = event;
      } else if (event.kind === "sent") {
        const message = readMessage(event);
        messages.push(message);
        waiting[event.dir]!.push(message);
        const { id, method, dir } = message;
        if (id === undefined) continue;
        const key = `${(method === undefined) === (dir === "toAgent") ? "agent" : "client"} ${id}`;
        if (method !== undefined) open.set(key, message);
        else {
          const request = open.get(key);
          if (request === undefined) throw new Error(`a response to no request: ${event.line}`);
          request.answer ??= message;
          request.answers++;
        }
      }
    }
    return messages;
  }
}

function readMessage({ dir, line, n, t }: EventOf<"sent">): Message {
  const { id, method, params = {}, result, error } = JSON.parse(line) as Wired;
  const { update, sessionId } = params;
  const [block] = params.prompt ?? [];
  const asked = params.path ?? params.message ?? params.command ?? params.toolCall?.title;
  const text =
    update?.content?.text ??
    update?.title ??
    (update?.entries ?? update?.plan?.entries)?.[0]?.content ??
    asked ??
    params.title;
  return {
    ...{ dir: dir as Message["dir"], sent: { n, t }, id, method, s: sessionId, answers: 0 },
    tag: update?.sessionUpdate,
    step: (text && /"id": ?"([ucq]\d+)"/.exec(text)?.[1]) || update?.toolCallId,
    p: block && (JSON.parse(block.text) as Program).id,
    result: result?.outcome?.outcome ?? result?.action ?? result?.stopReason,
    created: result?.sessionId,
    error: error?.code,
  };
}

/** What is read of a message. */
interface Wired {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly sessionId?: string;
    readonly update?: {
      readonly sessionUpdate: string;
      readonly toolCallId?: string;
      readonly title?: string;
      readonly content?: { readonly text?: string };
      readonly entries?: readonly { readonly content: string }[];
      readonly plan?: { readonly entries?: readonly { readonly content: string }[] };
    };
    readonly prompt?: readonly { readonly text: string }[];
    readonly path?: string;
    readonly message?: string;
    readonly command?: string;
    readonly title?: string;
    readonly toolCall?: { readonly title?: string };
  };
  readonly result?: {
    readonly outcome?: { readonly outcome: string };
    readonly action?: string;
    readonly stopReason?: string;
    readonly sessionId?: string;
  };
  readonly error?: { readonly code: number };
}

function stepsOf(value: unknown): Handling[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "do" in value && "id" in value ? [value as unknown as Handling] : [];
  return [...own, ...Object.values(value).flatMap(stepsOf)];
}
