import { disposalOfConnection, type Disposal } from "../rpc/transports/disposal.js";
import type { TranscriptEntry } from "../conformance/transcript.js";
import { memoryTransports, type Transport } from "../rpc/transports/transport.js";
import { copyAsJson } from "../rpc/transports/copy-as-json.js";
import { tap } from "../rpc/transports/tap.js";
import type { MockCall, Received } from "./mocks.js";

/** A connection between a role under test and a mock, and the messages that the mock has received. */
export interface MockConnection<AgentConnection, ClientConnection, Call extends MockCall>
  extends Disposal, Received<Call> {
  /** The agent's side: calls the client. */
  readonly agent: AgentConnection;
  /** The client's side: calls the agent. */
  readonly client: ClientConnection;
  /**
   * All messages in the order in which the client has sent or received them, answers included:
   * `checkConformance` takes them.
   */
  readonly transcript: readonly TranscriptEntry[];
  /** Ends the connection: pending calls are rejected, running handlers aborted. */
  close(): void;
}

/** An end of a connection. */
interface End {
  readonly closed: Promise<unknown>;
  close(): void;
}

/** Connects an agent and a client in memory and completes the handshake. */
export async function connectInMemory<
  AgentEnd extends End,
  ClientEnd extends End,
  Call extends MockCall,
>(
  agent: { connect(transport: Transport): AgentEnd },
  client: { connect(transport: Transport): Promise<ClientEnd> },
  { calls, paramsOf }: Received<Call>,
): Promise<MockConnection<AgentEnd, ClientEnd, Call>> {
  const [near, far] = memoryTransports();
  const served = agent.connect(far);
  const transcript: TranscriptEntry[] = [];
  const record = (message: unknown, direction: string): void => {
    const from = direction === "outgoing" ? "client" : "agent";
    // Handlers may change what they have received.
    transcript.push({ from, message: copyAsJson(message) });
  };
  const connected = await client.connect(tap(near, record));
  const both = {
    closed: Promise.all([served.closed, connected.closed]).then(() => {}),
    // The agent's side ends with it.
    close: () => connected.close(),
  };
  return {
    agent: served,
    client: connected,
    calls,
    paramsOf,
    transcript,
    close: both.close,
    ...disposalOfConnection(both),
  };
}
