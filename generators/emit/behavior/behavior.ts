import { outputPath } from "../../output/file.js";
import { perProfile, type Emitter } from "../emitter.js";
import { expandBehavior } from "./expand.js";

/** The behavior corpus of each profile. */
export const behavior: Emitter<"behavior"> = {
  name: "behavior",
  summary:
    "scripts of wire messages that show how agents and clients behave, one on each line; on request",
  onRequest: true,
  inputs: ["behavior"],
  emit: perProfile((protocol, { behavior: source }) => {
    if (source === undefined) return [];
    const { scripts } = expandBehavior(protocol, source);
    if (scripts.length === 0) return [];
    const lines = scripts.map((script) => JSON.stringify(script));
    const path = outputPath("behavior", `${protocol.profile}.ndjson`);
    return [{ path, text: `${lines.join("\n")}\n`, language: "plain" }];
  }),
};
