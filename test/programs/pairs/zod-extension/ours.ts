import {
  CANCELLED,
  createAgent,
  createClient,
  defineRequest,
  memoryTransports,
} from "acp-bindings/v1";
import { z } from "zod";

const review = defineRequest({
  method: "_acme.dev/review",
  params: z.object({ path: z.string(), depth: z.number().default(1) }),
  result: z.object({ findings: z.array(z.string()) }),
  advertise: { "acme.dev": { review: true } },
});
const agent = createAgent({
  info: { name: "reviewer", version: "1.0.0" },
  extensions: [review.handle(({ path, depth }) => ({ findings: [`${path} at ${depth}`] }))],
  handlers: {
    session: {
      new: () => ({ sessionId: crypto.randomUUID() }),
      prompt: () => ({ stopReason: "end_turn" }),
    },
  },
});
const client = createClient({
  info: { name: "editor", version: "1.0.0" },
  handlers: { session: { requestPermission: () => CANCELLED } },
});

const [near, far] = memoryTransports();
agent.connect(far);
await using connection = await client.connect(near);
const { findings } = await connection.agent.request(review, { path: "/a.ts" });
console.log(findings.join());
