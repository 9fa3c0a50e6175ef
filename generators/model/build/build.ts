import type { Bundle, BundleDefinition, BundleMethod } from "../../schema/compose/bundle.js";
import type { Json, JsonSchema } from "../../schema/json-schema/json.js";
import {
  groupProblems,
  InputError,
  inWritten,
  jsonPointer,
  type Problem,
} from "../../schema/problem.js";
import { locatePart } from "../../schema/compose/locate-addition.js";
import { diffSchemas, pathOfDifference } from "../../schema/compare/diff.js";
import { methodFacts } from "../../schema/source/sources.js";
import { findHandshakeMethod, findInitialize } from "../../schema/source/find-initialize.js";
import { publishMeta, publishSchema } from "../../schema/compose/publish.js";
import { buildGate } from "./build-gate.js";
import { descriptionOf } from "./description.js";
import { buildShape } from "./build-shape.js";
import type { ShapeContext } from "./shape-context.js";
import { definitionIdentifiers, groupName, handlerPath } from "../identifiers.js";
import { inFieldOrder } from "../sample/field-order.js";
import { toPlainForm } from "./plain-form.js";
import { directedForms } from "../received.js";
import { definitionToSchema } from "./to-schema.js";
import type {
  Definition,
  MessageRole,
  Method,
  Protocol,
  Initialize,
  InitializeMessage,
  InitializeOption,
} from "../protocol.js";
import { ownFields } from "../map-shape.js";
import type { Field } from "../shape.js";

/** The name and title of a profile. */
export interface ProfileName {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The options of the command that select it; those of a named profile when absent. */
  readonly flags?: string;
}

/**
 * Builds the protocol model from a bundle.
 *
 * @throws InputError when a definition has no shape in the model or a gate's path does not exist
 */
export function buildProtocol(bundle: Bundle, profile: ProfileName): Protocol {
  const { toWritten } = bundle;
  if (toWritten === undefined) return build(bundle, profile);
  try {
    return build(bundle, profile);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(
      groupProblems(error.problems.map((problem) => inWritten(problem, toWritten))),
    );
  }
}

function build(bundle: Bundle, profile: ProfileName): Protocol {
  const schemaOf = (name: string): JsonSchema | undefined => bundle.definitions.get(name)?.schema;
  const initialize = findInitialize(bundle.methods);
  // The protocols of imported schemas may have an `initialize` of their own.
  const isImported = bundle.toWritten !== undefined;
  const isHandshake = isImported
    ? findHandshakeMethod(bundle.methods, schemaOf) !== undefined
    : initialize !== undefined;
  const agent = initialize?.result === undefined ? undefined : schemaOf(initialize.result);
  const client = initialize && schemaOf(initialize.params);
  const context: Surroundings = {
    schemaOf,
    shapeOf: buildShape,
    advertisements: { ...(agent && { agent }), ...(client && { client }) },
  };
  const identifiers = definitionIdentifiers(bundle.definitions.keys());
  const schema = publishSchema(bundle);
  // Without the handshake there are no roles, thus no handlers.
  const problems = isHandshake ? sharedHandlers(bundle.methods) : [];
  const definitions = buildEach([...bundle.definitions.values()], problems, (definition) => {
    const built = buildDefinition(definition, bundle, identifiers, context);
    problems.push(...findLoss(built, schema, bundle));
    return built;
  }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const order = exampleOrder(problems.length > 0 ? [] : definitions);
  const methods = buildEach(bundle.methods, problems, (method) =>
    buildMethod(method, bundle.methods, order, context),
  );
  if (problems.length > 0) throw new InputError(problems);
  const handshake = buildInitialize(
    isHandshake ? methods[bundle.methods.indexOf(initialize!)] : undefined,
    definitions,
  );
  return {
    version: bundle.protocol.name,
    versionNumber: bundle.protocol.number,
    profile: profile.name,
    flags: profile.flags ?? `--profile ${profile.name}`,
    title: profile.title,
    description: profile.description,
    upstream: bundle.protocol.upstream,
    features: bundle.features.map(({ name, title, description, status, requires, proposal }) => ({
      name,
      title,
      description,
      status,
      requires,
      ...(proposal !== undefined && { proposal }),
    })),
    areas: bundle.areas,
    definitions: definitions.map((definition) => ({
      ...definition,
      examples: definition.examples.map((example) => order(definition.name, example)),
    })),
    partNames: bundle.protocol.partNames ?? {},
    ...directedForms(definitions, methods),
    methods,
    ...(handshake !== undefined && { initialize: handshake }),
    schema,
    meta: publishMeta(bundle),
  };
}

/** Builds a part of the model from each item that has no problems. */
function buildEach<Item, Part>(
  items: readonly Item[],
  problems: Problem[],
  build: (item: Item) => Part,
): Part[] {
  return items.flatMap((item): Part[] => {
    try {
      return [build(item)];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
      return [];
    }
  });
}

/** Finds what the model cannot represent of a definition, so that no emitter drops it silently. */
function findLoss(definition: Definition, schema: JsonSchema, bundle: Bundle): readonly Problem[] {
  const { name, messages } = definition;
  const own = schema.$defs![name]!;
  const written = toPlainForm(own);
  // A schema whose methods were found in its messages has no marks.
  const marked = own["x-method"] === undefined ? [] : messages;
  const held = toPlainForm(definitionToSchema({ ...definition, messages: marked }));
  const [first] = diffSchemas(written, held);
  if (first === undefined) return [];
  const path = pathOfDifference(first, written);
  return [
    {
      ...locatePart(bundle.definitions.get(name)!, path, bundle.features),
      message: "this part of the schema has no form in the model and would be lost",
      hint: 'Write it in one of the forms that the manual lists under "Import any JSON Schema" (templates/site/guides/tool/imports.md).',
    },
  ];
}

/** The context that all definitions and methods of a bundle share. */
type Surroundings = Omit<ShapeContext, "place" | "counter" | "copying">;

function buildDefinition(
  definition: BundleDefinition,
  { methods, features }: Bundle,
  identifiers: ReadonlyMap<string, string>,
  context: Surroundings,
): Definition {
  const { name, schema, file, area, feature } = definition;
  return {
    name,
    identifier: identifiers.get(name)!,
    description: descriptionOf(schema),
    ...(schema.deprecated === true && { deprecated: true as const }),
    area,
    ...(feature !== undefined && { feature }),
    envelope: schema["x-docs-ignore"] ?? false,
    messages: methods.flatMap((method) => messageRoles(method, name)),
    shape: buildShape(schema, {
      ...context,
      place: (path) => locatePart(definition, path, features),
      counter: { fields: 0 },
    }),
    ...(schema["x-state"] !== undefined && { state: schema["x-state"] }),
    ...(schema["x-scope"] !== undefined && { scope: schema["x-scope"] }),
    examples: schema.examples ?? [],
    ...(file !== undefined && { file }),
  };
}

/**
 * Handlers are functions in nested objects: `note` and `note/save` cannot both
 * have one, nor can `set_mode` and `setMode`. Each group has a type of its own: `a/b/c` and `aB/c`
 * cannot both be.
 */
function sharedHandlers(methods: readonly BundleMethod[]): Problem[] {
  const places = new Map<string, BundleMethod>();
  const groups = new Map<string, { readonly path: string; readonly method: BundleMethod }>();
  const paths = new Map(methods.map((method) => [method, handlerPath(method, methods)]));
  for (const [method, path] of paths) places.set([method.side, ...path].join("."), method);
  return methods.flatMap((method): Problem[] => {
    const path = paths.get(method)!;
    const found = path.flatMap((_, index) => {
      const around = path.slice(0, index);
      const type = `${method.side} ${groupName(around)}`;
      const group = groups.get(type) ?? { path: around.join("."), method };
      groups.set(type, group);
      const place = [method.side, ...path.slice(0, index + 1)].join(".");
      return [places.get(place) ?? method, group.path === around.join(".") ? method : group.method];
    });
    const other = found.find((one) => one !== method);
    if (other === undefined) return [];
    const place = {
      ...(method.file !== undefined && { file: method.file }),
      pointer: method.pointer,
    };
    const message = `the handlers of "${other.name}" and "${method.name}" would have the same place`;
    return [{ ...place, message, hint: "Rename one of the methods." }];
  });
}

/** Puts the properties of an example of a definition in the definition's order. */
type ExampleOrder = (definition: string | undefined, example: Json) => Json;

function exampleOrder(definitions: readonly Definition[]): ExampleOrder {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const definitionOf = (name: string): Definition => byName.get(name)!;
  return (name, example) => {
    const shape = name === undefined ? undefined : byName.get(name)?.shape;
    return shape === undefined ? example : inFieldOrder(shape, example, definitionOf);
  };
}

function messageRoles(method: BundleMethod, name: string): MessageRole[] {
  return (["params", "result"] as const)
    .filter((part) => method[part] === name)
    .map((part) => ({ side: method.side, kind: method.kind, method: method.name, part }));
}

function buildMethod(
  method: BundleMethod,
  all: readonly BundleMethod[],
  order: ExampleOrder,
  context: Surroundings,
): Method {
  const { name, side, kind, params, result, summary, description, examples, area, feature } =
    method;
  const place: ShapeContext["place"] = (path) =>
    method.file === undefined
      ? {}
      : { file: method.file, pointer: method.pointer + jsonPointer(path) };
  const gate = method.gate && buildGate(method.gate, { ...context, place }, ["gate"]);
  return {
    name,
    side,
    kind,
    params,
    ...(result !== undefined && { result }),
    ...(gate !== undefined && { gate }),
    ...methodFacts(method),
    summary,
    description,
    examples: examples.map((example) => ({
      title: example.title,
      params: order(params, example.params),
      ...(example.result !== undefined && { result: order(result, example.result) }),
    })),
    area,
    ...(feature !== undefined && { feature }),
    handler: handlerPath(method, all),
  };
}

/** Describes the handshake and the capabilities of each side in it; `undefined` without one. */
function buildInitialize(
  method: Method | undefined,
  definitions: readonly Definition[],
): Initialize | undefined {
  if (method?.result === undefined) return undefined;
  const message = (name: string): InitializeMessage =>
    initializeMessage(definitions.find((definition) => definition.name === name)!);
  return { method, agent: message(method.result), client: message(method.params) };
}

function initializeMessage(definition: Definition): InitializeMessage {
  const fields = definition.shape.kind === "object" ? ownFields(definition.shape) : [];
  const options = fields
    .filter(({ name }) => name !== "protocolVersion" && name !== "_meta")
    .map(initializeOption);
  const capabilities = options.find(({ name }) => name === "capabilities")?.field.name;
  return { definition, options, ...(capabilities !== undefined && { capabilities }) };
}

function initializeOption(field: Field): InitializeOption {
  const { required, description } = field;
  if (/info$/i.test(field.name)) {
    const text = "The name and version of this software, which it sends to the other side.";
    return { name: "info", field, required: true, description: required ? description : text };
  }
  const name = /capabilities$/i.test(field.name) ? "capabilities" : field.name;
  return { name, field, required, description };
}
