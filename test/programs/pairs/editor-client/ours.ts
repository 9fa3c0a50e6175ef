import { spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { CANCELLED, createClient, RpcError, select } from "acp-bindings/v1";
import type {
  ClientConnection,
  ClientSession,
  received,
  SessionState,
  Transport,
} from "acp-bindings/v1";

/** The parts of the editor that a user sees. */
export interface Screen {
  render(state: SessionState): void;
  ask(
    title: string,
    options: readonly received.PermissionOption[],
    signal: AbortSignal,
  ): Promise<string | undefined>;
}

interface Terminal {
  readonly child: ChildProcess;
  readonly exit: Promise<{ exitCode: number | null; signal: string | null }>;
  output: string;
}

/** A client as an editor has it: open documents, terminals, and a session that outlives its agent. */
export class Editor {
  readonly cwd: string;
  readonly screen: Screen;
  readonly startAgent: () => Transport;
  readonly documents = new Map<string, string>();
  readonly #terminals = new Map<string, Terminal>();
  #connection: ClientConnection | undefined;
  #session: ClientSession | undefined;
  #sessionId: string | undefined;

  constructor(cwd: string, screen: Screen, startAgent: () => Transport) {
    this.cwd = cwd;
    this.screen = screen;
    this.startAgent = startAgent;
  }

  readonly #client = createClient({
    info: { name: "editor", version: "1.0.0" },
    handlers: {
      session: {
        update: (_, { session }) => session && this.screen.render(session.state),
        requestPermission: async ({ toolCall, options }, { session, signal }) => {
          const known = session?.state.toolCalls.get(toolCall.toolCallId);
          const title = toolCall.title ?? known?.title ?? "";
          const id = await this.screen.ask(title, options, signal);
          return id === undefined ? CANCELLED : select(id);
        },
      },
      fs: {
        readTextFile: async ({ path }) => ({
          content: this.documents.get(path) ?? (await readFile(path, "utf8")),
        }),
        writeTextFile: ({ path, content }) => void this.documents.set(path, content),
      },
      terminal: {
        create: ({ command, args = [], env = [], cwd }) => this.#create(command, args, env, cwd),
        output: async ({ terminalId }) => {
          const { output, child, exit } = this.#terminal(terminalId);
          const hasExited = child.exitCode !== null || child.signalCode !== null;
          return { output, truncated: false, ...(hasExited && { exitStatus: await exit }) };
        },
        waitForExit: ({ terminalId }) => this.#terminal(terminalId).exit,
        kill: ({ terminalId }) => void this.#terminal(terminalId).child.kill(),
        release: ({ terminalId }) => {
          this.#terminal(terminalId).child.kill();
          this.#terminals.delete(terminalId);
        },
      },
    },
  });

  /** Sends a prompt; if the agent has ended, another one loads the session first. */
  async prompt(text: string, signal?: AbortSignal) {
    const session = (this.#session ??= await this.#open());
    return (await session.prompt(text, { signal })).stopReason;
  }

  async close() {
    this.#connection?.close();
  }

  async #open(): Promise<ClientSession> {
    const connection = await this.#client.connect(this.startAgent());
    this.#connection = connection;
    const place = { cwd: this.cwd, mcpServers: [] };
    const session = await (this.#sessionId === undefined
      ? connection.newSession(place)
      : connection.loadSession({ ...place, sessionId: this.#sessionId }));
    this.#sessionId = session.id;
    void connection.closed.then(() => (this.#session = undefined));
    return session;
  }

  #create(
    command: string,
    args: readonly string[],
    env: readonly { name: string; value: string }[],
    cwd?: string | null,
  ) {
    const terminalId = crypto.randomUUID();
    const child = spawn(command, args, {
      cwd: cwd ?? this.cwd,
      env: { ...process.env, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
    });
    const exit: Terminal["exit"] = new Promise((resolve) => {
      child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
      child.once("error", () => resolve({ exitCode: 127, signal: null }));
    });
    const terminal: Terminal = { child, exit, output: "" };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (terminal.output += text));
    this.#terminals.set(terminalId, terminal);
    return { terminalId };
  }

  #terminal(id: string): Terminal {
    const terminal = this.#terminals.get(id);
    if (!terminal) throw RpcError.resourceNotFound(`terminal ${id}`);
    return terminal;
  }
}
