import { gatePathText } from "../../../schema/json-schema/gate-path.js";
import type { Gate } from "../../../model/gate.js";
import type { Method } from "../../../model/protocol.js";
import type { Shape } from "../../../model/shape.js";
import {
  codeSpan,
  inline,
  joined,
  textLink,
  type Inline,
  type TextLink,
} from "../../../output/markup.js";
import { compareContent, contentDifference, type ContentDifference } from "./content.js";
import { listedNames } from "./comparison-context.js";
import { sameGate } from "./gate-changes.js";
import { rootsOf } from "./method-changes.js";
import { profileMark } from "../components/badges.js";
import { siteUrl } from "../components/scope.js";
import type { PageScope, Site } from "../model/site.js";
import { shapeParts } from "../model/shape-parts.js";
import { versionNote, type VersionNote } from "../model/version-notes.js";

/** The differences from methods of the same name in other profiles, with a link to each. */
export function methodInOtherProfiles(name: string, scope: PageScope): readonly Inline[] {
  return others(scope).map((site) => {
    const note = firstNote(name, scope, site);
    const path = site.methodPaths.get(name);
    if (path === undefined) return absent("method", site, scope, note);
    const own = scope.site.protocol.methods.filter((method) => method.name === name);
    const clauses = own.flatMap((method) => methodClauses(method, scope, site));
    return line(site, path, scope, clauses, note);
  });
}

/** The differences from types of the same name in other profiles, with a link to each. */
export function typeInOtherProfiles(name: string, scope: PageScope): readonly Inline[] {
  return others(scope).map((site) => {
    const note = firstNote(name, scope, site);
    const content = compareContent(scope.site.protocol, site.protocol);
    const called = content.renames.get(name) ?? name;
    const path = site.typePaths.get(called);
    if (path === undefined) return absent("type", site, scope, note);
    const difference = contentDifference([[name, called]], content);
    const clauses = [
      ...(called === name ? [] : [inline("called ", codeSpan(called))]),
      ...difference.own.map(() => propertiesClause(name, called, scope.site, site)),
      ...insideClause(difference),
    ];
    return line(site, path, scope, clauses, note);
  });
}

function others({ site }: PageScope): readonly Site[] {
  return [...site.siblings.values()].filter(
    ({ protocol }) => protocol.profile !== site.protocol.profile,
  );
}

/** Returns the note about a name between versions, for the first profile of the other version. */
function firstNote(name: string, scope: PageScope, site: Site): VersionNote | undefined {
  const { version } = site.protocol;
  const first = others(scope).find(({ protocol }) => protocol.version === version);
  return first === site ? versionNote(name, scope.site, site) : undefined;
}

function line(
  site: Site,
  path: string,
  scope: PageScope,
  clauses: readonly Inline[],
  note: VersionNote | undefined,
): Inline {
  const link = linkTo(site.protocol.title, site, path, scope);
  const same = inline("the same, with all types inside it");
  const text = clauses.length === 0 ? same : joined(clauses, "; ");
  return inline(link, profileMark(site), ": ", text, ".", ...noteText(note));
}

function absent(what: string, site: Site, scope: PageScope, note: VersionNote | undefined): Inline {
  const path = note?.to && (site.methodPaths.get(note.to) ?? site.typePaths.get(note.to));
  return inline(
    `${site.protocol.title}: the ${what} does not exist.`,
    ...noteText(note),
    ...(path && note?.to ? [" See ", linkTo(note.to, site, path, scope), "."] : []),
  );
}

function noteText(note: VersionNote | undefined): readonly (string | Inline)[] {
  return note === undefined ? [] : [" ", note.text];
}

function linkTo(text: string, site: Site, path: string, scope: PageScope): TextLink {
  return textLink(text, siteUrl(scope.site, scope.path, `${site.protocol.profile}/${path}`));
}

function methodClauses(method: Method, { site }: PageScope, other: Site): readonly Inline[] {
  const { side, kind, name } = method;
  const found = other.protocol.methods.find(
    (one) => one.name === name && one.side === side && one.kind === kind,
  );
  if (found === undefined) return [inline(`not as a ${kind} to the ${side}`)];
  const content = compareContent(site.protocol, other.protocol);
  const difference = contentDifference(rootsOf(method, found), content);
  const part = (word: string, before?: string, after?: string): readonly Inline[] => {
    if (before === undefined || after === undefined || !difference.own.includes(after)) return [];
    return [inline(`${word}: `, propertiesClause(before, after, site, other))];
  };
  return [
    ...part("params", method.params, found.params),
    ...part("result", method.result, found.result),
    ...insideClause(difference),
    ...(sameGate(method.gate, found.gate) ? [] : [gateClause(found.gate)]),
  ];
}

function gateClause(gate: Gate | undefined): Inline {
  if (gate === undefined) return inline("its gate is unknown");
  return gate.kind === "always"
    ? inline("no capability needed")
    : inline("it needs ", codeSpan(gatePathText(gate.path)));
}

function insideClause({ inside }: ContentDifference): readonly Inline[] {
  if (inside.length === 0) return [];
  const shown = inside.length > 4 ? inside.slice(0, 3) : inside;
  const more = inside.length - shown.length;
  return [
    inline(
      ...listedNames("types inside it differ: ", shown),
      more === 0 ? "" : ` and ${more} more`,
    ),
  ];
}

/** The added, removed and changed parts of a definition, as a clause. */
function propertiesClause(before: string, after: string, from: Site, to: Site): Inline {
  const shapes = [from.definitionOf(before).shape, to.definitionOf(after).shape] as const;
  const [old, now] = shapes.map((shape) => shapeParts(shape).map(({ name }) => name)) as [
    string[],
    string[],
  ];
  const { differences, gates } = compareContent(from.protocol, to.protocol);
  const part = /^\/\$defs\/[^/]+\/(?:properties|variants)\/([^/]+)/;
  const changed = differences
    .filter(({ definition }) => definition === after)
    .map(({ pointer }) => part.exec(pointer)?.[1]);
  const added = now.filter((name) => !old.includes(name));
  const removed = old.filter((name) => !now.includes(name));
  const others = now.filter((name) => old.includes(name) && changed.includes(name));
  const gated = gates.filter(({ definition }) => definition === after).map((gate) => gate.part);
  const clauses = [
    ...listedNames("with ", added),
    ...listedNames("without ", removed),
    ...listedNames("with another ", others),
    ...listedNames("with another gate of ", gated),
    ...openness(...shapes),
  ];
  return clauses.length === 0 ? inline("with another schema") : joined(clauses);
}

function openness(before: Shape, after: Shape): readonly Inline[] {
  const isOpen = (shape: Shape): boolean =>
    (shape.kind === "tagged" || shape.kind === "enum") && shape.open !== undefined;
  if (isOpen(before) === isOpen(after)) return [];
  return [inline(isOpen(after) ? "open to other values" : "closed to other values")];
}
