import type { Report } from "../rpc/inbound-requests.js";
import { AcpError } from "../acp-error.js";
import { didYouMean } from "../did-you-mean.js";
import * as sentences from "../sentences.js";
import { checkSettings, requireArgument, type Kinds } from "../rpc/require-argument.js";
import type { BusyOptions } from "../role/while-busy.js";
import type { VersionedAgent } from "../role/versions.js";
import type { CommonSession } from "./common-turn.js";
import type { SessionQuery } from "./session-backend.js";
import { SessionStore } from "./session-store.js";

/** The end of a turn that is possible in all versions. */
export type CommonStopReason = "end_turn" | "max_tokens" | "max_turn_requests" | "refusal";

/** The folders and MCP servers of a session. */
export interface SessionPlace {
  /** An absolute path. */
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers?: readonly object[];
}

/** The facts of a session that is listed. */
export interface ListedSession {
  readonly sessionId: string;
  readonly cwd: string;
  readonly title?: string | null;
  /** A date and time of RFC 3339. */
  readonly updatedAt?: string | null;
}

/** An agent for all versions of the protocol. */
export interface AgentDefinition<State, Block, Session, Turn> extends BusyOptions {
  readonly info: { readonly name: string; readonly version: string; readonly title?: string };
  /** Returns the state of a new session. */
  readonly newSession?: (place: SessionPlace) => State | Promise<State>;
  /**
   * Keeps the sessions; by default, a store of this agent. With a store, `session/resume`,
   * `session/list` and `session/delete` follow from it, and a session is stored when a turn has ended.
   */
  readonly sessions?: SessionStore<State>;
  /** Sends the history of a session that the store has opened; with it, `session/load` follows from the store. */
  readonly replaySession?: (session: Session, state: State) => void | Promise<void>;
  /**
   * Returns the state of a session that this connection has not seen; undefined when there is
   * none. Sends the history through the session if `replay` is true. Not used with `sessions`.
   */
  readonly loadSession?: (
    session: Session,
    place: SessionPlace & { readonly replay: boolean },
  ) => State | undefined | Promise<State | undefined>;
  readonly listSessions?: (params: {
    readonly cwd?: string | null;
    readonly cursor?: string | null;
  }) => Listed | Promise<Listed>;
  /** Called when a session is closed, after its turns have ended. */
  readonly closeSession?: (id: string, state: State) => void | Promise<void>;
  /** Handles a prompt. A cancelled turn has the stop reason `cancelled`, no matter how the function ends. */
  readonly prompt: (
    prompt: readonly Block[],
    turn: Turn & { readonly state: State },
  ) => Promise<CommonStopReason | void>;
  /** Called for errors that cannot be answered; by default, they are written to the console. */
  readonly onError?: Report;
}

interface Listed {
  readonly sessions: readonly ListedSession[];
  readonly nextCursor?: string | null;
}

/** A session of either version, as far as agents of all versions use it. */
type AnySession = CommonSession<never> & {
  startTurn?(run: (turn: AnySession) => unknown): Promise<object>;
};

type Context = { readonly session: AnySession };

type AnyDefinition = AgentDefinition<unknown, unknown, object, object>;

/** Creates an agent of one version from its options. */
type Create = (options: never) => VersionedAgent;

/**
 * Creates one agent per version from a single definition, for `serveVersions`.
 *
 * Every connection shares the sessions: their states are kept until they are closed.
 *
 * @throws AcpError for an option that does not exist, or one that is no function
 */
export function createAgents(
  definition: object,
  create: { readonly v1: Create; readonly v2: Create },
): VersionedAgent[] {
  requireArgument("defineAgent", definition, "an object", "defineAgent({ info, prompt })");
  const own = definition as AnyDefinition;
  checkDefinition(own);
  const { info, onError, whileBusy } = own;
  const handlers = createHandlers(own);
  const { load, resume, list, close, delete: remove } = handlers;
  const common = {
    info,
    ...(onError !== undefined && { onError }),
    ...(whileBusy !== undefined && { whileBusy }),
  };
  const v1 = {
    ...common,
    capabilities: {
      ...(load && { loadSession: true }),
      sessionCapabilities: {
        close: {},
        ...(resume && { resume: {} }),
        ...(list && { list: {} }),
        ...(remove && { delete: {} }),
      },
    },
    handlers: {
      session: {
        new: handlers.new,
        ...(load && {
          load: (params: Opened, context: Context) => load(params, context, true),
        }),
        ...(resume && {
          resume: (params: Opened, context: Context) => resume(params, context, false),
        }),
        ...(list && { list }),
        ...(remove && { delete: remove }),
        close,
        prompt: async ({ prompt }: Prompted, { session }: Context) => {
          const reason = await handlers.prompt(prompt, session, { v1: session });
          return { stopReason: reason ?? "end_turn" };
        },
      },
    },
  };
  const v2 = {
    ...common,
    sessionStore: handlers.store,
    capabilities: { session: { ...(remove && { delete: {} }) } },
    handlers: {
      session: {
        new: handlers.new,
        resume: (params: Opened & { readonly replayFrom?: object | null }, context: Context) =>
          handlers.open(params, context, (params.replayFrom ?? null) !== null),
        list: list ?? (() => ({ sessions: [] })),
        ...(remove && { delete: remove }),
        close,
        prompt: ({ prompt }: Prompted, { session }: Context) =>
          session.startTurn!((turn) => handlers.prompt(prompt, turn, { v2: turn })),
      },
    },
  };
  return [create.v1(v1 as never), create.v2(v2 as never)];
}

const OPTIONS: Kinds = {
  newSession: "a function",
  replaySession: "a function",
  loadSession: "a function",
  listSessions: "a function",
  closeSession: "a function",
  prompt: "a function",
  onError: "a function",
  info: undefined,
  sessions: sentences.storeSetting,
  whileBusy: undefined,
};

/** Checks at run time what TypeScript checks at compile time, for programs in plain JavaScript. */
function checkDefinition(definition: AnyDefinition): void {
  for (const name of Object.keys(definition)) {
    if (Object.hasOwn(OPTIONS, name)) continue;
    const suggestion = didYouMean(name, Object.keys(OPTIONS));
    const hint = suggestion || `: give agents that createAgent has made to serveVersions for more`;
    throw new AcpError(`${name} is not an option of defineAgent${hint}`);
  }
  checkSettings("", definition, OPTIONS);
  if ((definition.prompt as unknown) === undefined)
    throw new AcpError(sentences.missingSetting("prompt", "agent"));
}

type Opened = SessionPlace & { readonly sessionId: string };

type Named = { readonly sessionId: string };

type Prompted = { readonly prompt: readonly unknown[] };

function createHandlers({
  sessions,
  newSession,
  replaySession,
  loadSession,
  listSessions,
  closeSession,
  prompt,
}: AnyDefinition) {
  const store = sessions ?? new SessionStore<unknown>();
  const open = async (
    { sessionId, ...place }: Opened,
    { session }: Context,
    replay: boolean,
  ): Promise<object> => {
    if (sessions !== undefined) {
      const state = await sessions.open(sessionId);
      if (replay) await replaySession?.(session, state);
    } else if (loadSession !== undefined && (replay || !store.has(sessionId))) {
      const state = await loadSession(session, { ...place, replay });
      if (state !== undefined) store.create(state, sessionId);
    }
    // Fails for an unknown session.
    store.get(sessionId);
    return {};
  };
  return {
    store,
    new: async (place: SessionPlace) => ({ sessionId: store.create(await newSession?.(place)) }),
    open,
    resume: (sessions ?? loadSession) && open,
    load: (sessions ? replaySession : loadSession) && open,
    list: listSessions ?? (sessions && ((query: SessionQuery) => sessions.list(query))),
    delete: sessions && (({ sessionId }: Named) => sessions.delete(sessionId)),
    close: async ({ sessionId }: Named) => {
      const state = store.get(sessionId);
      store.close(sessionId);
      await closeSession?.(sessionId, state);
      return {};
    },
    prompt: (blocks: readonly unknown[], session: AnySession, versions: object) =>
      store.turn(session.id, (state) => prompt(blocks, commonTurn(session, state, versions))),
  };
}

/** Returns the turn as agents of all versions see it, with the session of the version. */
function commonTurn(session: AnySession, state: unknown, versions: object) {
  return {
    id: session.id,
    state,
    get signal() {
      return session.signal;
    },
    text: session.text.bind(session),
    thought: session.thought.bind(session),
    stream: session.stream.bind(session),
    plan: session.plan.bind(session),
    toolCall: session.toolCall.bind(session),
    terminal: "v1" in versions ? session.terminal.bind(session) : async () => undefined,
    ...versions,
  };
}
