import { describeConstraints } from "../../../model/constraint-text.js";
import { gateText } from "../../../model/gates/gate-text.js";
import { plainText } from "../../../model/text-part.js";
import type { Definition, Method } from "../../../model/protocol.js";
import type { EnumShape, Field, Shape, TaggedVariant, UnionShape } from "../../../model/shape.js";
import { docLink, docTag, literal } from "../../../output/code.js";

/** The context of documentation comments. */
export interface Describe {
  readonly featureTitle: (name: string) => string;
  /** Returns whether a feature is a vendor's, which is not a proposal. */
  readonly isVendors: (name: string) => boolean;
  /** Returns the identifier of a definition; undefined when there is none of that name. */
  readonly findIdentifier: (name: string) => string | undefined;
  readonly methods: readonly Method[];
}

/** Returns the documentation of a definition, as text for `docComment`. */
export function describeDefinition(definition: Definition, context: Describe): string {
  const { shape } = definition;
  return paragraphs(
    linked(definition.description, context),
    ...definition.messages.map(({ part, method, kind, side }) => {
      const article = part === "params" ? "Params" : "Result";
      return `${article} of the ${kind} \`${method}\`, handled by ${side === "protocol" ? "both sides" : `the ${side}`}.`;
    }),
    shape.kind === "enum" ? values(shape, context) : "",
    shape.kind === "union" ? variants(shape, context) : "",
    constraints(shape),
    definition.deprecated === true ? docTag("deprecated") : "",
    stability(definition.feature, context),
  );
}

/** Returns the documentation of a property. */
export function describeField(field: Field, context: Describe): string {
  return paragraphs(
    linked(field.description, context),
    constraints(field.shape),
    gateText(field.gate),
    ...Object.entries(field.variantGates).map(([tag, gate]) => `\`${tag}\`: ${gateText(gate)}`),
    field.default === undefined ? "" : docTag("default", literal(field.default)),
    field.deprecated === true ? docTag("deprecated") : "",
    stability(field.feature, context),
  );
}

/** Returns the documentation of a variant, which is printed at the variant's tag. */
export function describeVariant(
  variant: Omit<TaggedVariant, "value" | "body">,
  context: Describe,
): string {
  return paragraphs(
    linked(variant.description, context),
    gateText(variant.gate),
    stability(variant.feature, context),
  );
}

function paragraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** Links type names in backticks. */
function linked(text: string, context: Describe): string {
  return text.replace(/`([A-Z][A-Za-z0-9]*)`/g, (code, name: string) => {
    const found = context.findIdentifier(name);
    return found === undefined ? code : docLink(found);
  });
}

function values(shape: EnumShape, context: Describe): string {
  const lines = shape.values.map(({ value, title, description, feature }) => {
    const name = title === undefined ? "" : ` (${title})`;
    const status = feature === undefined ? "" : ` Feature: ${context.featureTitle(feature)}.`;
    return bullet(`\`${value}\`${name}`, `${linked(description, context)}${status}`.trim());
  });
  if (shape.open)
    lines.push(bullet(`any other ${shape.type}`, linked(shape.open.description, context)));
  return lines.join("\n");
}

/** Lists the descriptions of variants without a tag, which are printed at the union. */
function variants(shape: UnionShape, context: Describe): string {
  return shape.variants
    .map(({ name, description }) => bullet(name, linked(description, context)))
    .join("\n");
}

function bullet(name: string, text: string): string {
  return text === "" ? `- ${name}` : `- ${name}: ${text}`;
}

/** Returns the restrictions that the type cannot express. */
function constraints(shape: Shape): string {
  return describeConstraints(shape).map(plainText).join(" ");
}

function stability(feature: string | undefined, context: Describe): string {
  if (feature === undefined) return "";
  const text = `Feature: ${context.featureTitle(feature)}.`;
  return context.isVendors(feature) ? text : docTag("experimental", text);
}
