import { missingCapability, pathText, read } from "../../gates/capability.js";
import { findInitialize, INITIALIZE } from "../../find-method.js";
import { keyOfEntry, type EntryGate } from "../../gates/entry-gates.js";
import { isRecord } from "../../rpc/messages.js";
import type { CapabilityGate, MethodDescriptor, MethodGate } from "../../methods.js";
import { unavailableFields, findUnavailable } from "../../gates/gated-places.js";
import * as sentences from "../../sentences.js";
import { AcpError } from "../../acp-error.js";

export type Handler = (params: unknown, context: unknown) => unknown;

/**
 * Handlers by variant. Each receives the variant and the context; `"*"` receives every variant
 * without a handler of its own, including variants that this version does not know.
 */
export type VariantHandlers<Union, Tag extends keyof Union, Context> = {
  readonly [Value in Union[Tag] & string]?: (
    variant: Extract<Union, { readonly [key in Tag]: Value }>,
    context: Context,
  ) => void | Promise<void>;
} & { readonly "*"?: (variant: Union, context: Context) => void | Promise<void> };

/** A method that this side can handle. */
export interface HandledMethod {
  readonly method: MethodDescriptor;
  /** Absent when the side does not handle the method. */
  readonly handler?: Handler;
}

/** The methods that a side can handle, by kind and name. */
export interface HandlerTable {
  readonly request: ReadonlyMap<string, HandledMethod>;
  readonly notification: ReadonlyMap<string, HandledMethod>;
}

/** Resolves all handlers of a role once, so that a message costs a single lookup. */
export function createHandlerTable(
  methods: readonly MethodDescriptor[],
  handlers: object,
): HandlerTable {
  const table = {
    request: new Map<string, HandledMethod>(),
    notification: new Map<string, HandledMethod>(),
  };
  for (const method of methods) {
    const handler = findHandler(handlers, method);
    table[method.kind].set(method.name, { method, ...(handler !== undefined && { handler }) });
  }
  return table;
}

/** Returns the handler at a method's path, bound to the object that holds it. */
export function findHandler(
  handlers: object,
  { handler: path, variants }: MethodDescriptor,
): Handler | undefined {
  let holder: unknown = handlers;
  for (const name of path.slice(0, -1)) holder = isRecord(holder) ? holder[name] : undefined;
  const found = isRecord(holder) ? holder[path.at(-1)!] : undefined;
  if (typeof found === "function") return found.bind(holder) as Handler;
  return variants !== undefined && isRecord(found) ? byVariant(found, variants) : undefined;
}

function byVariant(
  handlers: Readonly<Record<string, unknown>>,
  { field, tag }: NonNullable<MethodDescriptor["variants"]>,
): Handler {
  return (params, context) => {
    const variant = isRecord(params) ? params[field] : undefined;
    const value = isRecord(variant) ? variant[tag] : undefined;
    const name = typeof value === "string" && Object.hasOwn(handlers, value) ? value : "*";
    const handler = handlers[name];
    return typeof handler === "function"
      ? (handler as Handler).call(handlers, variant, context)
      : undefined;
  };
}

/**
 * Checks that a role advertises exactly what it handles, and that it advertises the capabilities
 * that other advertised ones require.
 *
 * @throws AcpError for a missing handler of a baseline request, for a capability without its handler, for a
 *   handler without its capability, for a capability that requires another one, and for a handler
 *   without the list of entries that it needs or the reverse
 */
export function checkHandlers(definition: {
  readonly role: "agent" | "client";
  readonly methods: readonly MethodDescriptor[];
  readonly handlers: object;
  readonly advertised: object;
}): void {
  const { role, methods, handlers, advertised } = definition;
  checkCapabilities(role, methods, advertised);
  for (const method of methods) {
    const { name, kind, side, handler: path, gate } = method;
    if (side !== role || name === INITIALIZE) continue;
    const has = findHandler(handlers, method) !== undefined;
    const at = `handlers.${path.join(".")}`;
    if (gate?.kind === "always") {
      if (kind === "request" && gate.reason === "baseline" && !has)
        throw new AcpError(sentences.missingHandler(at, role, name));
    } else if ((gate?.kind === "capability" || gate?.kind === "key") && gate.side === role) {
      const missing = missingCapability(gate, { [role]: advertised });
      if (has && missing !== undefined) {
        throw new AcpError(sentences.handlerWithoutCapability(at, missing));
      }
      if (!has && missing === undefined && !sharesCapability(method, methods)) {
        throw new AcpError(sentences.capabilityWithoutHandler(pathText(gate.path), at));
      }
    } else if (gate?.kind === "entry" && gate.side === role)
      checkEntries(gate, has, at, advertised);
  }
}

/**
 * Checks that a handler which needs an entry of a list, as `authenticate` needs a method in
 * `authMethods`, is given exactly when there is an entry.
 */
function checkEntries(gate: EntryGate, has: boolean, at: string, advertised: object): void {
  const list: unknown = gate.path.reduce<unknown>(read, advertised);
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  const path = pathText(gate.path);
  if (has && entries.length === 0) {
    throw new AcpError(sentences.handlerWithoutEntries(at, path));
  }
  if (!has && entries.some((entry) => keyOfEntry(gate, entry) !== undefined)) {
    throw new AcpError(sentences.capabilityWithoutHandler(path, at));
  }
}

/**
 * Returns whether a method is a notification whose capability stands for requests too. Its handler
 * may be omitted, as that of a baseline notification: it is not answered, and the runtime has the
 * effects of those that need one. A notification with a capability of its own must be handled.
 */
function sharesCapability(
  { kind, side, gate }: MethodDescriptor,
  methods: readonly MethodDescriptor[],
): boolean {
  const path = pathOf(gate);
  return (
    kind === "notification" &&
    methods.some(
      (other) => other.kind === "request" && other.side === side && pathOf(other.gate) === path,
    )
  );
}

function pathOf(gate: MethodGate | undefined): string | undefined {
  return gate?.kind === "capability" ? pathText(gate.path) : undefined;
}

/** Checks the gates in a side's initialize message against its own capabilities. */
function checkCapabilities(
  role: "agent" | "client",
  methods: readonly MethodDescriptor[],
  advertised: object,
): void {
  const initialize = findInitialize(methods);
  const part = role === "agent" ? "result" : "params";
  const places = (initialize?.places ?? []).filter(
    (place) => place.part === part && place.gate.side === role && place.gate.strength === "must",
  );
  const isClosed = (gate: CapabilityGate): boolean =>
    missingCapability(gate, { [role]: advertised }) !== undefined;
  const closed = unavailableFields(places, isClosed);
  const found = closed && findUnavailable(closed, advertised);
  if (found === undefined) return;
  const name = found.pointer.slice(1).replaceAll("/", ".");
  throw new AcpError(sentences.capabilityWithoutOther(name, found.capability));
}
