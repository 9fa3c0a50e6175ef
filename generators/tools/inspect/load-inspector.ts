import { buildProtocol } from "../../model/build/build.js";
import { compose } from "../../schema/compose.js";
import { loadSources } from "../../schema/source/load-sources.js";
import { bundle, importBundle } from "../../run/bundles/in-memory-bundle.js";
import {
  profileModules,
  INSPECTOR_MODULE,
  inspectorModules,
  PROFILE_MODULE,
} from "../../run/bundles/inspector-modules.js";
import type { Input } from "../../run/inputs/input.js";
import { resolveInputs } from "../../run/inputs/select-profiles.js";
import type { Selection } from "../../run/options.js";
import type { InspectorModule } from "./inspector-api.js";
import { SCHEMA } from "../../run/installation.js";
import { usageError } from "../../run/messages.js";

type Templates = ReadonlyMap<string, string>;

/** Loads the inspector, which serves every profile. */
export async function loadInspector(templates: Templates): Promise<InspectorModule> {
  const text = await bundle(inspectorModules(templates), INSPECTOR_MODULE, "esm");
  return importBundle<InspectorModule>(text);
}

/** A profile for the inspector, which alone knows its other properties. */
export interface LoadedProfile {
  readonly name: string;
}

/**
 * Compiles a profile's decoders and table of methods, in memory, as generated
 * packages have them.
 */
export async function loadProfile(
  { bundle: composed, profile }: Input,
  templates: Templates,
): Promise<LoadedProfile> {
  const modules = profileModules(buildProtocol(composed, profile), templates);
  const text = await bundle(modules, PROFILE_MODULE, "esm");
  return (await importBundle<{ readonly PROFILE: LoadedProfile }>(text)).PROFILE;
}

/**
 * Returns the profile that a transcript is checked against: the selected one,
 * otherwise the one with the most features of its protocol version. A version that does not exist
 * comes from a probe, whose `initialize` is refused; it is checked against the next lower version.
 *
 * @param version the version that the transcript speaks; 1 where it is not specified
 * @throws InputError for options that name no profile or several
 */
export function chooseProfile(options: Selection, version = 1): Input {
  if (Object.keys(options).length > 0) {
    const [input, ...others] = resolveInputs(options, SCHEMA);
    if (input !== undefined && others.length === 0) return input;
    throw usageError("a transcript is checked against one profile", "Give one --profile.");
  }
  const { protocols, profiles } = loadSources(SCHEMA);
  const numbers = [...protocols.values()].map(({ number }) => number);
  const lower = numbers.filter((number) => number <= version);
  const nearest = lower.length > 0 ? Math.max(...lower) : Math.min(...numbers);
  const widest = [...profiles.values()]
    .filter(({ protocol }) => protocols.get(protocol)!.number === nearest)
    .reduce((one, two) => (two.features.length > one.features.length ? two : one));
  return {
    bundle: compose(protocols.get(widest.protocol)!, widest.features),
    profile: widest,
  };
}
