import { isObject, type JsonObject } from "../json-schema/json.js";
import type { Additions, FeatureSource, MethodSource, ProfileSource } from "./sources.js";

/** A feature as its document states it; the dialect has been checked. */
export function toFeature(document: JsonObject): Omit<FeatureSource, "file" | "modules"> {
  const proposal = document["proposal"];
  return {
    name: document["name"] as string,
    protocol: document["protocol"] as string,
    title: document["title"] as string,
    description: document["description"] as string,
    status: document["status"] as FeatureSource["status"],
    ...(typeof proposal === "string" && { proposal }),
    requires: (document["requires"] ?? []) as readonly string[],
    methods: (document["methods"] ?? []) as unknown as readonly MethodSource[],
    add: (document["add"] ?? {}) as Additions,
    with: (document["with"] ?? {}) as FeatureSource["with"],
  };
}

/** The profiles by name: those of one protocol version together, the smallest first. */
export function toProfiles(document: JsonObject | undefined): Map<string, ProfileSource> {
  const profiles = document?.["profiles"];
  if (!isObject(profiles)) return new Map();
  const sources = Object.entries(profiles).map(([name, profile]): ProfileSource => ({
    name,
    ...(profile as unknown as Omit<ProfileSource, "name">),
  }));
  sources.sort(
    (a, b) =>
      inOrder(a.protocol, b.protocol) ||
      a.features.length - b.features.length ||
      inOrder(a.name, b.name),
  );
  return new Map(sources.map((profile) => [profile.name, profile]));
}

function inOrder(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
