import type { DecodeValue, EmitContext } from "../../emit/emitter.js";
import type { Protocol } from "../../model/protocol.js";
import { bundle, importBundle } from "../bundles/in-memory-bundle.js";
import { PROFILE_MODULE, profileModules } from "../bundles/inspector-modules.js";

/** Compiles the decoders of protocols, in memory, as generated packages have them. */
export async function loadDecoders(
  protocols: readonly Protocol[],
  templates: EmitContext["templates"],
): Promise<ReadonlyMap<string, DecodeValue>> {
  const decoders = new Map<string, DecodeValue>();
  for (const protocol of protocols) {
    const text = await bundle(profileModules(protocol, templates), PROFILE_MODULE, "esm");
    const { PROFILE } = await importBundle<{ readonly PROFILE: Profile }>(text);
    decoders.set(protocol.profile, PROFILE.decode);
  }
  return decoders;
}

interface Profile {
  readonly decode: DecodeValue;
}
