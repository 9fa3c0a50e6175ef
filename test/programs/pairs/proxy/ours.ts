import { createProxy, tap } from "acp-bindings/v1-unstable";
import type { Transport } from "acp-bindings/v1-unstable";

/** Stands between a client and an agent: logs every message and changes prompts. */
export function proxy(client: Transport, agent: Transport, log: (line: string) => void) {
  const brief = createProxy({
    toAgent: {
      session: {
        prompt: ({ prompt, ...params }, { forward }) =>
          forward({ ...params, prompt: [{ type: "text", text: "Be brief." }, ...prompt] }),
      },
    },
  });
  const logged = tap(client, (message, direction) =>
    log(`${direction} ${JSON.stringify(message)}`),
  );
  return brief.connect(logged, agent);
}
