import { bridge, type BridgeLoss, type BridgeOptions } from "acp-bindings/bridge";
import { checkConformance, type TranscriptEntry } from "acp-bindings/conformance";
import { METHODS as METHODS_V1 } from "acp-bindings/v1-full";
import { METHODS as METHODS_V2 } from "acp-bindings/v2-full";

type Message = { readonly [member: string]: unknown };

/** A side of a conversation that a test plays by hand. */
export interface Player {
  send(message: Message): void;
  notify(method: string, params: unknown): void;
  /** Sends a request; resolves with its response. */
  request(method: string, params: unknown, id?: number | string): Promise<Message>;
  /** Returns the next message that is not a response to `request`. */
  next(): Promise<Message>;
  /** Returns the messages that have arrived, and forgets them. */
  take(): Message[];
  close(): Promise<void>;
}

export interface Wire {
  readonly client: Player;
  readonly agent: Player;
  readonly losses: BridgeLoss[];
  /** Both conversations, as an observer at each side has them. */
  readonly transcripts: { readonly client: TranscriptEntry[]; readonly agent: TranscriptEntry[] };
  readonly done: Promise<void>;
}

/** A pair of connected streams: `[near, far]`. */
export function streams(
  observe: (from: "near" | "far", message: unknown) => void = () => {},
): [BridgeOptions["client"], BridgeOptions["client"]] {
  const pipe = (from: "near" | "far"): TransformStream<unknown, unknown> =>
    new TransformStream(
      {
        transform: (message, controller) => {
          const copy = JSON.parse(JSON.stringify(message)) as unknown;
          observe(from, copy);
          controller.enqueue(copy);
        },
      },
      { highWaterMark: 64 },
      { highWaterMark: 64 },
    );
  const [there, back] = [pipe("near"), pipe("far")];
  return [
    { readable: back.readable, writable: there.writable },
    { readable: there.readable, writable: back.writable },
  ];
}

/** Starts a bridge between two sides that the test plays. */
export function wire(options: Partial<BridgeOptions> = {}): Wire {
  const transcripts: Wire["transcripts"] = { client: [], agent: [] };
  const [client, nearClient] = streams((from, message) =>
    transcripts.client.push({ from: from === "near" ? "client" : "agent", message }),
  );
  const [agent, nearAgent] = streams((from, message) =>
    transcripts.agent.push({ from: from === "near" ? "agent" : "client", message }),
  );
  const losses: BridgeLoss[] = [];
  const done = bridge({
    client: nearClient,
    agent: nearAgent,
    onLoss: (loss) => void losses.push(loss),
    ...options,
  });
  return { client: play(client), agent: play(agent), losses, transcripts, done };
}

function play({ readable, writable }: BridgeOptions["client"]): Player {
  const reader = readable.getReader();
  const writer = writable.getWriter();
  const arrived: Message[] = [];
  const waiting: ((message: Message) => void)[] = [];
  const answers = new Map<unknown, (message: Message) => void>();
  let last = 0;
  void (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const message = value as Message;
      const answer = message["method"] === undefined ? answers.get(message["id"]) : undefined;
      answers.delete(message["id"]);
      if (answer !== undefined) answer(message);
      else if (waiting.length > 0) waiting.shift()!(message);
      else arrived.push(message);
    }
  })().catch(() => {});
  const send = (message: Message): void =>
    void writer.write({ jsonrpc: "2.0", ...message }).catch(() => {});
  return {
    send,
    notify: (method, params) => send({ method, params }),
    request: (method, params, id = ++last) => {
      const answer = new Promise<Message>((resolve) => answers.set(id, resolve));
      send({ id, method, params });
      return answer;
    },
    next: () =>
      arrived.length > 0
        ? Promise.resolve(arrived.shift()!)
        : new Promise((resolve) => waiting.push(resolve)),
    take: () => arrived.splice(0),
    close: () => writer.close().catch(() => {}),
  };
}

/** Returns the violations of both conversations, without what depends on the order of crossing messages. */
export function violations(
  { transcripts }: Pick<Wire, "transcripts">,
  versions: { readonly client: 1 | 2; readonly agent: 1 | 2 },
): readonly string[] {
  return (["client", "agent"] as const).flatMap((side) =>
    checkConformance(transcripts[side], {
      version: versions[side],
      methods: versions[side] === 1 ? METHODS_V1 : METHODS_V2,
    }).map(({ rule, message }) => `${side} v${versions[side]} ${rule}: ${message}`),
  );
}

/** Waits until everything that was sent has arrived. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

/** The `initialize` of a client of each version, and the answers of agents. */
export const HELLO = {
  client1: {
    protocolVersion: 1,
    clientInfo: { name: "editor", version: "1" },
    clientCapabilities: { session: { notices: {} }, auth: { terminal: true } },
  },
  client2: { protocolVersion: 2, info: { name: "editor", version: "2" }, capabilities: {} },
  agent1: {
    protocolVersion: 1,
    agentInfo: { name: "agent", version: "1" },
    agentCapabilities: {
      loadSession: true,
      sessionCapabilities: { list: {}, resume: {}, close: {} },
    },
    authMethods: [],
  },
  agent2: {
    protocolVersion: 2,
    info: { name: "agent", version: "2" },
    authMethods: [{ type: "agent", methodId: "browser", name: "Browser" }],
    capabilities: { session: { mcp: { stdio: {} } } },
  },
} as const;

/** Plays the handshake of a client of version 1 with an agent of version 2. */
export async function openV1(wired: Wire): Promise<void> {
  const hello = wired.client.request("initialize", HELLO.client1);
  const { id } = await wired.agent.next();
  wired.agent.send({ id, result: HELLO.agent2 });
  await hello;
}

/** Plays the handshake of a client of version 2 with an agent of version 1. */
export async function openV2(wired: Wire): Promise<void> {
  const hello = wired.client.request("initialize", HELLO.client2);
  const { id } = await wired.agent.next();
  wired.agent.send({ id, result: HELLO.agent1 });
  await hello;
}
