import { agent, client, methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { z } from "zod";

const method = "_acme.dev/review";
const params = z.object({ path: z.string(), depth: z.number().default(1) });
const result = z.object({ findings: z.array(z.string()) });

const reviewer = agent({ name: "reviewer" })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: crypto.randomUUID() }))
  .onRequest(methods.agent.session.prompt, () => ({ stopReason: "end_turn" }))
  .onRequest(method, params, ({ params: { path, depth } }) => ({
    findings: [`${path} at ${depth}`],
  }));
await client({ name: "editor" }).connectWith(reviewer, async (agent) => {
  await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION });
  // The caller is not typed: it names the types, and checks the result itself.
  const params = { path: "/a.ts" };
  const { findings } = result.parse(await agent.request(method, params));
  console.log(findings.join());
});
