import {
  createAgent,
  type ConnectedClient,
  type PlanEntry,
  type PromptResponse,
  type received,
  type SessionUpdate,
  type ToolCall,
} from "acp-bindings/v1";

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
