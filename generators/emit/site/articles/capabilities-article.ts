import { ownFields } from "../../../model/map-shape.js";
import type { Field } from "../../../model/shape.js";
import { codeSpan, inline, joined, phrase, textLink, type Inline } from "../../../output/markup.js";
import { urlToken } from "../../../output/url.js";
import { heading, paragraph, rows, type Block, type Row } from "../blocks/block.js";
import { may, row } from "../components/row.js";
import { capabilityKey, type CapabilityUse } from "../model/capability-uses.js";
import { typeCode, valueText } from "../components/type-code.js";
import type { Article, PageScope } from "../model/site.js";
import { featureBadges } from "../components/badges.js";
import { toUse, useWords } from "../components/scope.js";

/** The capabilities of both sides, and the methods and parts of types that need them. */
export const capabilitiesArticle: Article = {
  path: "capabilities.html",
  title: "Capabilities",
  summary:
    "The capabilities that each side can advertise in initialize, and the methods, properties and variants that they enable.",
  group: "reference",
  blocks: (scope) => [
    ...side("agent", "The agent advertises", "in its response to", scope),
    ...side("client", "The client advertises", "in its request", scope),
  ],
};

function side(
  name: "agent" | "client",
  title: string,
  where: string,
  scope: PageScope,
): readonly Block[] {
  const { initialize } = scope.site.protocol;
  if (initialize === undefined) return [];
  const owner = initialize[name].definition.name;
  const link = codeSpan(initialize.method.name, scope.toMethod(initialize.method.name));
  const type = codeSpan(owner, scope.toType(owner));
  return [
    heading(scope.id(name), inline(title)),
    paragraph(
      phrase`Paths start at what it sends ${where} ${link} (${type}). An absent capability is unsupported.`,
    ),
    ...rows([...capabilityRows(name, owner, [], [], scope), ...vendorRows(name, scope)]),
  ];
}

function capabilityRows(
  name: "agent" | "client",
  owner: string,
  path: readonly string[],
  seen: readonly string[],
  scope: PageScope,
): readonly Row[] {
  const definition = scope.site.definitions.get(owner);
  if (definition === undefined || seen.includes(owner)) return [];
  return ownFields(definition.shape)
    .filter((field) => isCapability(field, path))
    .flatMap((field) => {
      const at = [...path, field.name];
      const uses = scope.site.capabilityUses.get(capabilityKey(name, at)) ?? [];
      const { shape } = field;
      const deeper =
        shape.kind === "reference"
          ? capabilityRows(name, shape.name, at, [...seen, owner], scope)
          : [];
      const use = { owner, steps: [{ kind: "field" as const, name: field.name }] };
      const own = row(inline(codeSpan(at.join("."), toUse(use, scope))), {
        id: scope.id(`${name}-${at.map(urlToken).join(".")}`),
        type: inline(typeCode(field, scope)),
        marks: may(defaultText(field)),
        badges: featureBadges(field.feature, scope),
        text: scope.prose(field.description),
        notes: enables(uses, scope),
      });
      return [own, ...deeper];
    });
}

/** The capabilities of vendors, which only gates name. */
function vendorRows(name: "agent" | "client", scope: PageScope): readonly Row[] {
  return [...scope.site.capabilityUses].flatMap(([key, uses]) => {
    const path = key.slice(name.length + 1);
    if (!key.startsWith(`${name}:`) || !/\b_meta[.[]/.test(path)) return [];
    const meaning = phrase`A vendor's capability, advertised as ${codeSpan("true")}.`;
    const id = scope.id(`${name}-${urlToken(path)}`);
    return [row(inline(codeSpan(path)), { id, text: [meaning], notes: enables(uses, scope) })];
  });
}

/** What a capability enables, in one line; none for nothing. */
function enables(uses: readonly CapabilityUse[], scope: PageScope): readonly Inline[] {
  if (uses.length === 0) return [];
  return [phrase`Enables ${joined(uses.map((use) => capabilityUseLine(use, scope)))}.`];
}

/** Names, versions and `_meta` are not capabilities. */
function isCapability({ name, shape }: Field, path: readonly string[]): boolean {
  if (name === "_meta") return false;
  return path.length > 0 || /^authMethods$|capabilities$/i.test(name) || shape.kind === "list";
}

function defaultText({ default: value }: Field): Inline | undefined {
  if (value === undefined || typeof value === "object") return undefined;
  return inline("default ", codeSpan(valueText(value)));
}

/** A method or a part of a type as a link. */
export function capabilityUseLine(use: CapabilityUse, scope: PageScope): Inline {
  if (use.kind === "method") {
    const { name, kind } = use.method;
    return inline(`${kind} `, codeSpan(name, scope.toMethod(name)));
  }
  return inline(textLink(useWords(use.use), toUse(use.use, scope)));
}
