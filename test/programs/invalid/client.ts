import { createClient, type ConnectedAgent, type ClientHandlers } from "acp-bindings/v1";

// Every baseline handler must be given.
export const incomplete: ClientHandlers = { session: { update: () => {} } }; // @error 2741

// A notification has no response: its handler returns no value.
export const verbose: ClientHandlers["session"] = {
  update: () => {},
  requestPermission: () => ({ outcome: "cancelled" }), // @error 2322
};

export async function calls(agent: ConnectedAgent): Promise<void> {
  await agent.session.cancel({ sessionId: "s1" }, { signal: AbortSignal.abort() }); // @error 2554
  await agent.session.new({ cwd: "/" }); // @error 2345
  await agent.session.load?.(); // @error 2554
  // The handshake is the connection's own.
  await agent.initialize({ protocolVersion: 1 }); // @error 2339
}

// Variants have their own types, and only known or custom names.
export const byVariant: ClientHandlers["session"]["update"] = {
  plan: ({ content }) => console.log(content), // @error 2339
  plann: () => {}, // @error 2353
};

// An editor says who it is.
export const nameless = createClient({ handlers: { session: verbose } }); // @error 2345
