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
