import { memoryTransports } from "acp-bindings";
import * as v1 from "acp-bindings/v1";
import { info, PERMISSION } from "./raw-peer.js";

/** The session of an agent that does next to nothing. */
export const SESSION = {
  new: () => ({ sessionId: "s" }),
  prompt: () => ({ stopReason: "end_turn" }) as const,
  cancel: () => {},
};

type DeepPartial<T> = T extends (...given: never[]) => unknown
  ? T
  : { readonly [Key in keyof T]?: DeepPartial<T[Key]> };

/** Those options of a role that matter to a test. */
type Some<Options extends { readonly handlers: unknown }> = Partial<Omit<Options, "handlers">> & {
  readonly handlers?: DeepPartial<Options["handlers"]>;
};

/**
 * Connects an agent and a client of version 1 in memory. Returns them after the handshake, the
 * errors of the agent, and the agent's transport.
 */
export async function connectInMemory(
  agentOptions: Some<v1.AgentOptions> = {},
  clientOptions: Some<v1.ClientOptions> = {},
) {
  const [near, far] = memoryTransports();
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const agent = v1
    .createAgent({ info, onError, ...agentOptions, handlers: withSession(agentOptions, SESSION) })
    .connect(far);
  const handlers: v1.ClientHandlers = withSession(clientOptions, PERMISSION);
  const client = await v1.createClient({ info, ...clientOptions, handlers }).connect(near);
  return { agent, client, errors, far };
}

/** Returns handlers, of which those of sessions are added to others. */
function withSession<Handlers>(
  { handlers }: { readonly handlers?: { readonly session?: object } | undefined },
  session: object,
): Handlers {
  return { ...handlers, session: { ...session, ...handlers?.session } } as Handlers;
}

/** Lets everything run that can run now. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}
