import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";

/** Stands between a client and an agent: logs every message and changes prompts. */
export function proxy(client: Stream, agent: Stream, log: (line: string) => void) {
  const change = (direction: string) =>
    new TransformStream<AnyMessage, AnyMessage>({
      transform: (message, controller) => {
        log(`${direction} ${JSON.stringify(message)}`);
        controller.enqueue(rewrite(message));
      },
    });
  return Promise.all([
    client.readable.pipeThrough(change("->")).pipeTo(agent.writable),
    agent.readable.pipeThrough(change("<-")).pipeTo(client.writable),
  ]);
}

function rewrite(message: AnyMessage): AnyMessage {
  if (!("method" in message) || message.method !== "session/prompt") return message;
  const params = message.params as { readonly prompt: readonly unknown[] };
  const prompt = [{ type: "text", text: "Be brief." }, ...params.prompt];
  return { ...message, params: { ...params, prompt } };
}
