import type { Codec } from "../../emit/inputs.js";
import type { Protocol } from "../../model/protocol.js";
import { bundle, importBundle } from "./in-memory-bundle.js";
import { PROFILE_MODULE, profileModules } from "./inspector-modules.js";

/** Compiles the codecs of protocols, in memory, as generated packages have them; by profile. */
export async function loadCodecs(
  protocols: readonly Protocol[],
  templates: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Codec>> {
  const codecs = new Map<string, Codec>();
  for (const protocol of protocols) {
    const modules = new Map([...profileModules(protocol, templates), [CODEC_MODULE, CODEC]]);
    const text = await bundle(modules, CODEC_MODULE, "esm");
    codecs.set(protocol.profile, (await importBundle<{ readonly codec: Codec }>(text)).codec);
  }
  return codecs;
}

const CODEC_MODULE = "codec.ts";

const CODEC = `import { CHECKS, PROFILE } from "./${PROFILE_MODULE.replace(/ts$/, "js")}";
import { explainRejected } from "./typescript/runtime/validate/encode.js";
export const codec = {
  decode: PROFILE.decode,
  validate: PROFILE.validate,
  refuse: (definition: string, value: unknown) => explainRejected(CHECKS.get(definition)!, value),
};
`;
