import { outputPath } from "../../output/file.js";
import type { Emitter } from "../emitter.js";
import { answer } from "./answer.js";
import { createCases } from "./cases.js";

/** Inputs for decoders of any language, with the expected results. */
export const corpus: Emitter = {
  name: "corpus",
  summary:
    "inputs for every decoder with the expected results, one JSON object on each line; on request",
  onRequest: true,
  emit: (protocol, { decoders }) => {
    const { profile, definitions } = protocol;
    const decode = decoders?.get(profile);
    if (decode === undefined) return [];
    const casesOf = createCases(protocol);
    const lines = definitions.flatMap(({ name }) =>
      casesOf(name).map((one) => JSON.stringify({ profile, ...one, ...answer(decode, one) })),
    );
    const path = outputPath("corpus", `${profile}.ndjson`);
    return [{ path, text: `${lines.join("\n")}\n`, language: "plain" }];
  },
};
