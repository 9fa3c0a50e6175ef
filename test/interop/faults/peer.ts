import { spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createLineReader } from "./read-lines.js";

/** A message as a peer wrote it. */
export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A peer's report of itself when it ends. */
export interface End {
  readonly code: number | null;
  readonly signal: string | null;
  /** Absent when it was killed. */
  readonly counts?: { readonly unhandled: number };
}

/** The peer has ended, closed its output, or does not answer. */
export class PeerClosed extends Error {}

/** A process under test: bytes go in, messages come out. */
export class Peer {
  /** How many bytes it has written. */
  written = 0;
  /** How long it may write nothing while something is waited for, in milliseconds. */
  timeoutMs: number;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<End>;
  #inbox: Message[] = [];
  #waiting: { match: (message: Message) => boolean; take: (message: Message) => void }[] = [];
  #lastId = 0;
  #onClosed: (what: string) => void = () => {};
  readonly #closed = new Promise<string>((resolve) => (this.#onClosed = resolve));

  constructor(child: ChildProcessWithoutNullStreams, timeoutMs: number) {
    this.#child = child;
    this.timeoutMs = timeoutMs;
    const read = createLineReader((line) => this.#receive(line));
    child.stdout.on("data", (chunk: Buffer) => {
      this.written += chunk.length;
      read(chunk);
    });
    child.stdout.on("close", () => this.#onClosed("connection died"));
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-1000)));
    // It may end during a write.
    child.stdin.on("error", () => {});
    this.#exited = (async () => {
      const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
      this.#onClosed("connection died");
      if (!child.stderr.closed) await once(child.stderr, "close");
      const counts = /\{"unhandled".*\}(?=\n$)/.exec(errors)?.[0];
      if (counts === undefined) return { code, signal };
      return { code, signal, counts: JSON.parse(counts) as NonNullable<End["counts"]> };
    })();
  }

  /** Writes text or bytes as they are; resolves when the process has been given them. */
  send(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#child.stdin.write(bytes, () => resolve()));
  }

  sendMessage(message: object): Promise<void> {
    return this.send(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** Answers a call of the peer. */
  answer({ id }: Message, result: unknown): void {
    void this.sendMessage({ id, result });
  }

  /** Sends a request; its id. */
  post(method: string, params: unknown): string {
    const id = `request-${++this.#lastId}`;
    void this.sendMessage({ id, method, params });
    return id;
  }

  /** The whole response to a request that was sent, whether a result or an error. */
  response(id: string): Promise<Message> {
    return this.message((message) => message.id === id && message.method === undefined);
  }

  /** Calls a method. */
  request(method: string, params: unknown = {}): Promise<Message> {
    return this.response(this.post(method, params));
  }

  /** Lets the peer call a method of the script, and answers with a raw text; how the call ends there. */
  async answerCall(response: string): Promise<Message> {
    const method = "fs/read_text_file";
    const id = this.post("_fault/call", { method, params: { sessionId: "s-1", path: "/a" } });
    const call = await this.message((message) => message.method === method);
    const start = `{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},`;
    void this.send(`${start}${response}}\n`);
    return this.response(id);
  }

  /** Makes sure that the connection lives, and that what came before has been worked on. */
  async ping(): Promise<void> {
    for (let round = 0; round < 2; round++) await this.request("_fault/echo", {});
  }

  /** Everything that came in answer to some bytes, beside what was taken before. */
  async exchange(bytes: string | Uint8Array): Promise<Message[]> {
    void this.send(bytes);
    await this.ping();
    return this.take();
  }

  /**
   * The first message that matches and has not been taken yet.
   *
   * @throws PeerClosed when none comes
   */
  async message(match: (message: Message) => boolean): Promise<Message> {
    const index = this.#inbox.findIndex(match);
    if (index >= 0) return this.#inbox.splice(index, 1)[0]!;
    const controller = new AbortController();
    const { signal } = controller;
    const late = (async () => {
      for (let before = -1; before !== this.written; await sleep(this.timeoutMs, null, { signal }))
        before = this.written;
      throw new PeerClosed("no answer");
    })();
    late.catch(() => {});
    const whenClosed = this.#closed.then((what) => {
      throw new PeerClosed(what);
    });
    whenClosed.catch(() => {});
    const found = new Promise<Message>((take) => this.#waiting.push({ match, take }));
    try {
      return await Promise.race([found, late, whenClosed]);
    } finally {
      controller.abort();
      this.#waiting = this.#waiting.filter((waiting) => waiting.match !== match);
    }
  }

  /** All messages that have not been taken yet. */
  take(): Message[] {
    return this.#inbox.splice(0);
  }

  stopReading(): void {
    this.#child.stdout.pause();
  }

  startReading(): void {
    this.#child.stdout.resume();
  }

  /** Closes the reading end of the peer's output. */
  breakOutput(): void {
    this.#child.stdout.destroy();
  }

  /**
   * Resident memory of the process in MiB.
   *
   * @throws PeerClosed when there is no such process
   */
  memory(): number {
    const { stdout } = spawnSync("ps", ["-o", "rss=", "-p", String(this.#child.pid)]);
    const size = Number(stdout.toString());
    if (size === 0) throw new PeerClosed("connection died");
    return size / 1024;
  }

  /**
   * How the process ends by itself.
   *
   * @throws PeerClosed when it does not
   */
  async ended(): Promise<End> {
    const end = await Promise.race([
      this.#exited,
      sleep(this.timeoutMs, undefined, { ref: false }),
    ]);
    if (end === undefined) throw new PeerClosed("does not end");
    return end;
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exited;
    this.#child.stdout.destroy();
  }

  #receive(line: string): void {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      return this.#onClosed("writes what is no JSON");
    }
    const index = this.#waiting.findIndex(({ match }) => match(message));
    if (index < 0) this.#inbox.push(message);
    else this.#waiting.splice(index, 1)[0]!.take(message);
  }
}
