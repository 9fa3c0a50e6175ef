import { addTo } from "./compose/feature-additions.js";
import type { Area, Bundle, BundleDefinition, BundleMethod, Origin } from "./compose/bundle.js";
import { checkDefaults } from "./check/check-defaults.js";
import { checkDefinitions } from "./check/check-definitions.js";
import { checkPartNames } from "./check/check-part-names.js";
import { noteUnknownNames } from "./check/check-names.js";
import { locatePart } from "./compose/locate-addition.js";
import { deriveDefinition } from "./compose/derive.js";
import { deriveEnvelopes, envelopeFeature } from "./compose/envelopes.js";
import { placeAfter } from "./compose/place-after.js";
import { InputError, jsonPointer, type Problem } from "./problem.js";
import { leadsToItself } from "./json-schema/references.js";
import { unknownFeature } from "./source/check-profiles.js";
import { methodKey } from "./source/method-key.js";
import {
  publishedSide,
  type FeatureSource,
  type MethodSource,
  type ProtocolSource,
} from "./source/sources.js";

/**
 * Composes a protocol version's base with features into one bundle. The order
 * in which features are named never matters.
 *
 * @param protocol the base and its known features
 * @param names the features to turn on
 * @throws InputError with every clash, no-op, unknown definition, dangling
 *   reference, missing requirement and unfit default, each naming the files involved
 */
export function compose(protocol: ProtocolSource, names: readonly string[]): Bundle {
  const features = selectFeatures(protocol, names);
  const problems: Problem[] = [];
  const definitions = collectDefinitions(protocol, features, problems);
  const methods = collectMethods(protocol, features, problems);
  for (const feature of features) {
    addTo(definitions, feature, feature.add, ["add"], problems);
    for (const [other, additions] of Object.entries(feature.with)) {
      if (names.includes(other) || isPromoted(other, protocol)) {
        addTo(definitions, feature, additions, ["with", other], problems);
      } else if (!protocol.features.has(other)) {
        problems.push(unknownFeature(other, protocol, feature.file, jsonPointer(["with", other])));
      }
    }
  }
  noteUnknownNames(protocol, features, problems);
  checkDefinitions(definitions, methods, problems, features);
  checkPartNames(definitions, protocol.partNames ?? {}, problems);
  if (problems.length > 0) throw new InputError(problems);

  const derived = new Map<string, BundleDefinition>();
  const envelopes = deriveEnvelopes(definitions, methods, protocol.envelopes);
  for (const [name, definition] of definitions) {
    derived.set(name, {
      ...definition,
      schema: deriveDefinition(definition.schema, definitions, markers(name, methods), (path) =>
        locatePart(definition, path, features),
      ),
    });
  }
  const misfits = checkDefaults(features, derived);
  if (misfits.length > 0) throw new InputError(misfits);
  for (const [name, schema] of envelopes.definitions) {
    const feature = envelopeFeature(name, methods);
    derived.set(name, {
      name,
      schema,
      area: "envelopes",
      ...(feature !== undefined && { feature }),
    });
  }
  return {
    protocol,
    features,
    areas: collectAreas(protocol, features),
    definitions: derived,
    methods,
    root: envelopes.root,
  };
}

/** Checks whether every selection has what was a feature once. */
function isPromoted(name: string, { promoted = {} }: ProtocolSource): boolean {
  return Object.hasOwn(promoted, name);
}

/** The features of that name, sorted, with their requirements checked. */
function selectFeatures(protocol: ProtocolSource, names: readonly string[]): FeatureSource[] {
  const problems: Problem[] = [];
  const circles: Problem[] = [];
  const features: FeatureSource[] = [];
  for (const name of [...new Set(names)].sort()) {
    const feature = protocol.features.get(name);
    if (feature === undefined) {
      problems.push(unknownFeature(name, protocol));
      continue;
    }
    features.push(feature);
    if (leadsToItself(name, (other) => protocol.features.get(other)?.requires ?? [])) {
      circles.push({
        file: feature.file,
        pointer: "/requires",
        message: `the feature "${name}" requires itself`,
        hint: "Remove one requirement of the circle.",
      });
      continue;
    }
    for (const required of feature.requires) {
      if (names.includes(required) || isPromoted(required, protocol)) continue;
      problems.push({
        file: feature.file,
        pointer: "/requires",
        message: `the feature "${name}" needs the feature "${required}"`,
        hint: `Turn "${required}" on as well.`,
      });
    }
  }
  // A circle is an error in a file, whoever selected the feature; other problems concern the selection.
  if (circles.length > 0) throw new InputError([...circles, ...problems]);
  if (problems.length > 0) throw new InputError(problems, "usage");
  return features;
}

function collectDefinitions(
  protocol: ProtocolSource,
  features: readonly FeatureSource[],
  problems: Problem[],
): Map<string, BundleDefinition> {
  const definitions = new Map<string, BundleDefinition>();
  const add = (name: string, definition: BundleDefinition, file: string): void => {
    const present = definitions.get(name);
    if (present === undefined) {
      definitions.set(name, definition);
      return;
    }
    problems.push({
      file,
      pointer: jsonPointer(["$defs", name]),
      message: `the definition "${name}" is already in ${present.file ?? "the protocol"}`,
      hint: "Rename one of them, or remove this one.",
    });
  };
  for (const module of protocol.modules) {
    for (const [name, schema] of Object.entries(module.definitions)) {
      add(name, { name, schema, file: module.file, area: module.area }, module.file);
    }
  }
  for (const feature of features) {
    for (const module of feature.modules) {
      for (const [name, schema] of Object.entries(module.definitions)) {
        const origin: Origin = { file: module.file, area: feature.name, feature: feature.name };
        add(name, { name, schema, ...origin }, module.file);
      }
    }
  }
  return definitions;
}

function collectMethods(
  protocol: ProtocolSource,
  features: readonly FeatureSource[],
  problems: Problem[],
): BundleMethod[] {
  const all: BundleMethod[] = [];
  const add = (method: MethodSource, index: number, origin: Origin & { file: string }): void => {
    const pointer = jsonPointer(["methods", index]);
    const present = all.find((other) => methodKey(other) === methodKey(method));
    if (present === undefined) {
      all.push({ ...method, ...origin, pointer });
      return;
    }
    problems.push({
      file: origin.file,
      pointer,
      message: `the ${method.kind} "${method.name}" handled by the ${method.side} is already in ${present.file ?? "the protocol"}`,
      hint: "Remove one of them.",
    });
  };
  for (const module of protocol.modules) {
    module.methods.forEach((method, index) =>
      add(method, index, { file: module.file, area: module.area }),
    );
  }
  for (const feature of features) {
    const origin = { file: feature.file, area: feature.name, feature: feature.name };
    feature.methods.forEach((method, index) => add(method, index, origin));
  }
  return placeAfter(
    all,
    (method) => method.name,
    (method) => method.after,
  );
}

/** Which method a definition carries the params or result of, as published. */
function markers(
  name: string,
  methods: readonly BundleMethod[],
): { "x-side"?: string; "x-method"?: string } {
  const carried = methods.filter(({ params, result }) => params === name || result === name);
  const [method] = carried;
  if (method === undefined) return {};
  return { "x-side": publishedSide(carried.map(({ side }) => side)), "x-method": method.name };
}

function collectAreas(protocol: ProtocolSource, features: readonly FeatureSource[]): Area[] {
  const areas = new Map<string, Area>();
  for (const { area, title, description } of protocol.modules) {
    if (!areas.has(area)) areas.set(area, { name: area, title, description });
  }
  for (const { name, title, description } of features) {
    areas.set(name, { name, title, description });
  }
  areas.set("envelopes", {
    name: "envelopes",
    title: "Message envelopes",
    description: "The JSON-RPC messages that carry the methods, grouped by sender.",
  });
  return [...areas.values()];
}
