import { didYouMean, jsonPointer, type Problem } from "../problem.js";
import type { ProfileSource, ProtocolSource } from "./sources.js";

/**
 * Finds protocol versions and features that profiles name and that do not
 * exist, and features that lack one they require.
 *
 * @param file the profiles file, as problems name it
 */
export function checkProfiles(
  file: string,
  profiles: ReadonlyMap<string, ProfileSource>,
  protocols: ReadonlyMap<string, ProtocolSource>,
): Problem[] {
  return [...profiles.values()].flatMap((profile): Problem[] => {
    const protocol = protocols.get(profile.protocol);
    const path = ["profiles", profile.name];
    if (protocol === undefined) {
      return [
        {
          file,
          pointer: jsonPointer([...path, "protocol"]),
          message: `unknown protocol version "${profile.protocol}"`,
          hint: didYouMean(
            profile.protocol,
            protocols.keys(),
            `Known versions: ${[...protocols.keys()].join(", ") || "none"}.`,
          ),
        },
      ];
    }
    return profile.features.flatMap((name, index): Problem[] => {
      const pointer = jsonPointer([...path, "features", index]);
      const feature = protocol.features.get(name);
      if (feature === undefined) return [unknownFeature(name, protocol, file, pointer)];
      const missing = feature.requires.filter((other) => !profile.features.includes(other));
      return missing.map((other) => ({
        file,
        pointer,
        message: `the feature "${name}" needs the feature "${other}"`,
        hint: `List "${other}" as well.`,
      }));
    });
  });
}

/** Describes the problem of a feature name that a protocol version does not have. */
export function unknownFeature(
  name: string,
  protocol: ProtocolSource,
  file?: string,
  pointer?: string,
): Problem {
  const known = [...protocol.features.keys()].sort();
  return {
    ...(file !== undefined && { file }),
    ...(pointer !== undefined && { pointer }),
    message: `${protocol.name} has no feature "${name}"`,
    hint: didYouMean(name, known, `It has: ${known.join(", ") || "none"}.`),
  };
}
