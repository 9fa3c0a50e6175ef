import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import { createHttpHandler, type HttpHandler, type HttpServerOptions } from "acp-bindings/remote";
import { nodeListener, nodeUpgrade } from "acp-bindings/remote/node";
import { createAgent, createClient } from "acp-bindings/v1";
import { WebSocketServer } from "ws";

const INFO = { name: "test", version: "1.0.0" };

/** The work of a prompt: how many chunks, how many questions, and the pause after each in milliseconds. */
export interface Work {
  readonly chunks?: number;
  readonly questions?: number;
  /** The least length of a chunk. */
  readonly length?: number;
  readonly pause?: number;
}

/** An agent that does what a prompt asks for, and replays 200 chunks when a session is loaded. */
export const agent = createAgent({
  info: INFO,
  onError: () => {},
  handlers: {
    session: {
      new: async (_, { client }) => {
        const sessionId = crypto.randomUUID();
        const update = { sessionUpdate: "session_info_update", title: "early" } as const;
        await client.session.update({ sessionId, update });
        return { sessionId };
      },
      load: async ({ sessionId }, { client }) => {
        for (let index = 0; index < 200; index++) {
          const content = { type: "text", text: `${index}` } as const;
          const update = { sessionUpdate: "agent_message_chunk", content } as const;
          await client.session.update({ sessionId, update });
        }
        return {};
      },
      prompt: async ({ prompt, sessionId }, { client, session, signal }) => {
        const [block] = prompt;
        const {
          chunks = 0,
          length = 0,
          questions = 0,
          pause,
        } = JSON.parse(block?.type === "text" ? block.text : "{}") as Work;
        for (let index = 0; index < Math.max(chunks, questions) && !signal.aborted; index++) {
          if (index < chunks) await session.text(`${index}`.padEnd(length));
          if (index < questions)
            await client.session.requestPermission({
              sessionId,
              toolCall: { toolCallId: `${index}` },
              options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
            });
          if (pause !== undefined) await wait(pause);
        }
        return { stopReason: "end_turn" };
      },
    },
  },
});

/** A client that keeps what it has received. */
export function createRecordingClient() {
  const texts: string[] = [];
  const questions: string[] = [];
  const client = createClient({
    info: INFO,
    onError: () => {},
    handlers: {
      session: {
        requestPermission: ({ toolCall, options }) => {
          questions.push(toolCall.toolCallId);
          return { outcome: { outcome: "selected", optionId: options[0]!.optionId } };
        },
        update: ({ update }) => {
          if (update.sessionUpdate === "session_info_update") texts.push(update.title ?? "");
          if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
            texts.push(update.content.text);
        },
      },
    },
  });
  return { client, texts, questions };
}

export function promptOf(sessionId: string, work: Work) {
  return { sessionId, prompt: [{ type: "text", text: JSON.stringify(work) } as const] };
}

/** A server of the agent on a port of this machine. */
export interface Remote {
  readonly handler: HttpHandler;
  readonly web: Server;
  readonly port: number;
  readonly url: string;
  /** The connections of the agent so far. */
  readonly served: { isClosed: boolean }[];
  stop(): void;
}

const stops: (() => void)[] = [];

/** Ends all servers and proxies of a test. */
export function stopAll(): void {
  for (const stop of stops.splice(0)) stop();
}

export async function startRemote(options: Partial<HttpServerOptions> = {}): Promise<Remote> {
  const served: { isClosed: boolean }[] = [];
  const handler = createHttpHandler({
    serve: (transport) => {
      const connection = agent.connect(transport);
      const entry = { isClosed: false };
      served.push(entry);
      void connection.closed.then(() => (entry.isClosed = true));
      return connection;
    },
    ...options,
  });
  const sockets = new WebSocketServer({ noServer: true });
  const web = createServer(nodeListener(handler)).on("upgrade", nodeUpgrade(handler, sockets));
  await once(web.listen(0, "127.0.0.1"), "listening");
  const stop = (): void => {
    web.closeAllConnections();
    web.close();
    for (const socket of sockets.clients) socket.terminate();
  };
  stops.push(stop);
  const { port } = web.address() as AddressInfo;
  return { handler, web, port, url: `http://127.0.0.1:${port}/acp`, served, stop };
}

/** A proxy that passes bytes on, and can cut what is open. */
export interface Proxy {
  readonly url: string;
  cut(): void;
  /** Cuts what is open, and accepts nothing more. */
  stop(): void;
}

/** Receives what comes from one side, and writes it to the other. */
export type PassOn = (from: Socket, to: Socket, isOfClient: boolean) => void;

/** Starts a proxy; by default it passes on everything. */
export async function startProxy(
  port: number,
  passOn: PassOn = (from, to) => void from.on("data", (chunk) => to.write(chunk)),
): Promise<Proxy> {
  const open = new Set<Socket>();
  const server = createTcpServer((near) => {
    const far = connect(port, "127.0.0.1");
    passOn(near, far, true);
    passOn(far, near, false);
    for (const socket of [near, far]) {
      open.add(socket);
      socket
        .on("error", () => {})
        .on("close", () => {
          open.delete(socket);
          near.destroy();
          far.destroy();
        });
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  const stop = (): void => {
    cut();
    server.close();
  };
  stops.push(stop);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`, cut, stop };
}

export function wait(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time));
}
