// What the agent does, whatever it is written with, and the agent as a process of its own.
// Arguments then: the implementation's module, the file with the updates.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createMeter } from "./meter.mjs";

/** Sends as many updates as the prompt asks for, each awaited. */
export function createAgentBehavior(file, meter) {
  const updates = readFileSync(file, "utf8")
    .split("\n")
    .map((line) => JSON.parse(line));
  return {
    prompt: async (params, update) => {
      const { count, withHeap } = JSON.parse(params.prompt[0].text);
      meter.start(count, withHeap);
      for (let index = 0; index < count; index++) {
        await update(updates[index % updates.length]);
        meter.tick();
      }
      return { stopReason: "end_turn" };
    },
    usage: () => meter.read(),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [implementation, file] = process.argv.slice(2);
  const { serve } = await import(implementation);
  serve(createAgentBehavior(file, createMeter()));
}
