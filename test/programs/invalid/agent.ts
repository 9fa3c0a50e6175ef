import {
  createAgent,
  defineRequest,
  type AgentHandlers,
  type ConnectedClient,
} from "acp-bindings/v1";

const info = { name: "echo", version: "1.0.0" };

// Every baseline handler must be given.
export const incomplete: AgentHandlers = {
  session: { new: () => ({ sessionId: "s1" }), cancel: () => {} }, // @error 2741
};
export const empty: AgentHandlers = {}; // @error 2741
export const unhandled = createAgent({ info }); // @error 2345

// A handler must return its method's result.
export const wrongResult = createAgent({
  info,
  handlers: {
    session: {
      new: () => ({ session: "s1" }), // @error 2322
      prompt: async () => ({ stopReason: "bored" }), // @error 2322
      cancel: () => {},
    },
  },
});

// A method that does not exist has no handler.
export const misspelled: AgentHandlers["session"] = {
  new: () => ({ sessionId: "s1" }),
  prompt: () => ({ stopReason: "end_turn" }),
  cancel: () => {},
  setMood: () => ({}), // @error 2561
};

// An extension has a method.
export const nameless = defineRequest({}); // @error 2345

export async function calls(client: ConnectedClient): Promise<void> {
  // Params are checked,
  await client.session.requestPermission({ sessionId: "s1", options: [] }); // @error 2345
  // a method that the client need not have asks to be checked,
  await client.fs.readTextFile({ sessionId: "s1", path: "/" }); // @error 2722
  // results are typed,
  const result = await client.fs.readTextFile?.({ sessionId: "s1", path: "/" });
  result?.text; // @error 2339
  // a notification has no options and no result,
  await client.session.update(update, {}); // @error 2554
  // and the other side's methods are not the own ones.
  await client.session.prompt({ sessionId: "s1", prompt: [] }); // @error 2339
  await client.request("session/update", {}); // @error 2769
  // Calls by name are typed, too.
  await client.request("fs/read_text_file", { sessionId: 1, path: "/" }); // @error 2769
}

declare const update: Parameters<ConnectedClient["session"]["update"]>[0];
