import { isVendorName, type MethodKind, type MethodSide } from "../schema/source/sources.js";

/**
 * Words that cannot name an exported type: TypeScript's reserved words and the
 * names of its built-in types; and the table that is next to the schemas.
 */
const RESERVED = new Set(
  `any as async await bigint boolean break case catch class const continue debugger default delete do else enum export
  extends false finally for function if implements import in instanceof interface let never new null number object of
  package private protected public return static string super switch symbol this throw true try type typeof undefined
  unique unknown var void while with yield arguments eval byMethod`.split(/\s+/),
);

/**
 * Assigns each definition a unique TypeScript identifier. Legal names stay unchanged; others are
 * formed from their letters and digits. On a collision the later name (in code unit order) gets a
 * number.
 *
 * @returns identifiers by definition name; the same whatever order the names come in
 */
export function definitionIdentifiers(names: Iterable<string>): ReadonlyMap<string, string> {
  const sorted = [...names].sort();
  const legal = sorted.filter(isLegal);
  const taken = new Set(legal);
  const identifiers = new Map(legal.map((name) => [name, name]));
  for (const name of sorted) {
    if (identifiers.has(name)) continue;
    const base = pascalCase(name);
    let identifier = base;
    for (let count = 2; taken.has(identifier); count++) identifier = `${base}${count}`;
    taken.add(identifier);
    identifiers.set(name, identifier);
  }
  return identifiers;
}

function isLegal(name: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_]*$/.test(name) && !RESERVED.has(name);
}

function pascalCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(joined) ? joined : `Type${joined}`;
}

/** A method, as far as its handler's name depends on it. */
interface NamedMethod {
  readonly name: string;
  readonly side: MethodSide;
  readonly kind: MethodKind;
}

/** Members of the object through which a side is called: its groups have other names. */
const PEER_MEMBERS = ["notify", "request", "then"];

/**
 * Returns the path of a method's handler in generated interfaces: `session/set_mode`
 * becomes `["session", "setMode"]`. Where one side handles a request and a
 * notification of the same name, the notification's ends in `Notification`. The group of a
 * vendor's methods has no leading underscore, `_zed.dev/open` being `["zedDev", "open"]`, unless
 * the protocol has a group of that name: `_session/open` is `["_session", "open"]`.
 *
 * @param all every method, to see which names occur twice
 */
export function handlerPath(method: NamedMethod, all: readonly NamedMethod[]): readonly string[] {
  const [first = "", ...rest] = segmentsOf(method.name);
  const group = isVendorName(method.name) ? vendorGroup(first, all) : publishedGroup(first);
  const path = [group, ...rest];
  const twin = all.some(
    ({ name, side, kind }) => name === method.name && side === method.side && kind !== method.kind,
  );
  if (method.kind === "request" || !twin) return path;
  return [...path.slice(0, -1), `${path.at(-1) ?? ""}Notification`];
}

function segmentsOf(method: string): readonly string[] {
  const segments = method.replace(/^_+/, "").split("/");
  return segments.filter((segment) => segment !== "$").map(camelCase);
}

function publishedGroup(name: string): string {
  return PEER_MEMBERS.includes(name) ? `${name}_` : name;
}

function vendorGroup(name: string, all: readonly NamedMethod[]): string {
  const published = all.filter((method) => !isVendorName(method.name));
  const taken = [...PEER_MEMBERS, ...published.map((method) => segmentsOf(method.name)[0] ?? "")];
  return taken.some((other) => groupName([other]) === groupName([name])) ? `_${name}` : name;
}

/**
 * Returns the part of type names that stands for a group: `AgentSessionHandlers` are the handlers
 * of the group `session`.
 *
 * @param groups the names of the group and of those around it, from the outermost
 */
export function groupName(groups: readonly string[]): string {
  const names = groups.map((name) =>
    name
      .replace(/^(_*)([a-z])/, (_, start: string, letter: string) => start + letter.toUpperCase())
      // What the dialect does not allow must not become the name of the group around it.
      .replace(/[^A-Za-z0-9_]|^$/g, "_"),
  );
  return names.join("");
}

/** `set_mode` becomes `setMode`, `zed.dev` `zedDev`; `didOpen` stays. */
export function camelCase(name: string): string {
  return name.replace(/[_.-]+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `sessionId` becomes `session_id`, `httpURL` `http_url`; `_meta` stays. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}
