import type { FeatureFacts } from "../../run/features.js";
import { withoutControls } from "../../schema/controls.js";
import { colors as pc } from "../colors.js";
import { count } from "./format.js";

/** Prints the features for people. */
export function printFeatures(features: readonly FeatureFacts[]): string {
  return features.map(printFeature).join("\n");
}

function printFeature(feature: FeatureFacts): string {
  const { protocol, name, title, status, proposal } = feature;
  const { requires, methods, definitions, profiles } = feature;
  const facts = [
    count(definitions, "definition"),
    methods.length > 0 ? `methods ${methods.join(", ")}` : "no methods",
    ...(requires.length > 0 ? [`requires ${requires.join(", ")}`] : []),
    `in ${profiles.join(", ") || "no profile"}`,
  ];
  return [
    `${pc.bold(`${protocol} ${name}`)} (${status}): ${withoutControls(title)}`,
    `  ${withoutControls(facts.join("; "))}`,
    ...(proposal === undefined ? [] : [`  ${pc.dim(withoutControls(proposal))}`]),
  ].join("\n");
}
