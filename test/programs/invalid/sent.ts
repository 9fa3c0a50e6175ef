import {
  createAgent,
  schemas,
  type AgentHandlers,
  type ConnectedClient,
  type PlanEntry,
  type PromptResponse,
  type received,
  type SessionUpdate,
  type ToolCall,
} from "acp-bindings/v1";
import type { AgentSession as AgentSession2 } from "acp-bindings/v2";

// Tags, states and kinds that only one side sends stay closed.
export const reason: PromptResponse = { stopReason: "done" }; // @error 2322
export const status: PlanEntry["status"] = "complete"; // @error 2820
export const call: ToolCall = { toolCallId: "t", title: "", kind: "editing" }; // @error 2322
export const forward = (update: received.SessionUpdate): SessionUpdate => update; // @error 2322

// A required property is not optional, and a list cannot be changed by whom it is given to.
export const entry: PlanEntry = { content: undefined, priority: "high", status: "pending" }; // @error 2322
export const clear = (params: received.PromptRequest): unknown => params.prompt.pop(); // @error 2339

// A capability of the other side may be absent.
export const read = (client: ConnectedClient): unknown =>
  client.fs.readTextFile({ sessionId: "", path: "" }); // @error 2722

export const agent = createAgent({
  info: { name: "agent", version: "1.0.0" },
  handlers: {
    session: {
      new: () => {}, // @error 2322
      prompt: () => ({ stopReason: "end_turn" }),
    },
  },
});

// Open enumerations are sent with listed or custom values, wherever they stand.
export const encoded: unknown = schemas.NoticeSeverity.encode("later"); // @error 2345
export const kind = (session: AgentSession2): unknown =>
  session.toolCall({ title: "Edit", kind: "editing" }); // @error 2322
export const answer: AgentHandlers["session"]["new"] = () => ({
  sessionId: "s",
  configOptions: [
    { id: "a", name: "A", type: "boolean", currentValue: true, category: "later" }, // @error 2322
  ],
});
