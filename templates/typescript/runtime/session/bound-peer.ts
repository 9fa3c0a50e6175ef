import type { Checks, MethodDescriptor } from "../methods.js";
import type { CallOptions } from "../rpc/outbound-requests.js";
import { requireArgument } from "../rpc/require-argument.js";
import { fieldsOf, formOf, type CheckNode } from "../validate/check.js";
import { withFields } from "../validate/fast-checks.js";
import type { Without } from "./variants.js";

type Call = (params: never, ...rest: never[]) => unknown;

type OfSession = { readonly sessionId: string };

type ParamsOf<Value> =
  NonNullable<Value> extends (params: infer Params, ...rest: never[]) => unknown
    ? Extract<Params, OfSession>
    : never;

type BoundParams<Value> = Without<ParamsOf<Value>, "sessionId">;

type BoundCall<Value> = Value extends (params: never, ...rest: infer Rest) => infer Result
  ? Record<never, never> extends BoundParams<Value>
    ? (params?: BoundParams<Value>, ...rest: Rest) => Result
    : (params: BoundParams<Value>, ...rest: Rest) => Result
  : never;

/** The name of a member, or never when the member has no method of a session. */
type BoundName<Name, Value> =
  NonNullable<Value> extends Call
    ? [ParamsOf<Value>] extends [never]
      ? never
      : Name
    : [keyof BoundGroup<NonNullable<Value>>] extends [never]
      ? never
      : Name;

type BoundGroup<Group> = {
  readonly [Name in keyof Group as BoundName<Name, Group[Name]>]: NonNullable<
    Group[Name]
  > extends Call
    ? BoundCall<NonNullable<Group[Name]>>
    : BoundGroup<NonNullable<Group[Name]>>;
};

/**
 * The other side, bound to a session: every method whose params, or variants of them, require a
 * `sessionId`, without that property. Methods of the group `session` are direct members; the others are in the same
 * groups as on the unbound side. A method that the other side may lack is optional here as well.
 */
export type BoundPeer<Peer> = (Peer extends { readonly session: infer Group }
  ? BoundGroup<Group>
  : unknown) &
  BoundGroup<Without<Peer, "session" | "request" | "notify">>;

/** The facts that bind the methods of the other side to a session. */
export interface BoundMethods {
  /** The methods of the other side. */
  readonly methods: readonly MethodDescriptor[];
  readonly peer: object;
  /** Determines which params have a `sessionId`. */
  readonly checks: Checks;
}

/** Makes a call in another way; undefined makes it as usual. */
export type Reroute = (
  method: MethodDescriptor,
  params: object,
  options: CallOptions,
) => Promise<unknown> | undefined;

/**
 * Binds the methods of the other side to a session.
 *
 * @param defaults the options of a call that gives none
 * @param reroute called before each call
 */
export function bindPeer(
  { methods, peer, checks }: BoundMethods,
  sessionId: string,
  defaults: () => CallOptions,
  reroute?: Reroute,
): object {
  const root = Object.create(null) as Record<string, unknown>;
  for (const method of methods) {
    const { handler, params } = method;
    const check = checks[params];
    if (check === undefined || !hasSessionId(check)) continue;
    const path = handler[0] === "session" ? handler.slice(1) : handler;
    const name = path.join(".");
    let group = root;
    for (const part of path.slice(0, -1))
      group = (group[part] ??= Object.create(null)) as Record<string, unknown>;
    const get = (): unknown => {
      const call = handler.reduce<unknown>((holder, part) => (holder as never)[part], peer);
      if (call === undefined) return undefined;
      return (given?: object, options?: CallOptions) => {
        if (given !== undefined) requireArgument(name, given, "an object", `${name}({ … })`);
        const bound = withFields(given ?? {}, { sessionId });
        const all = options === undefined ? defaults() : { ...defaults(), ...options };
        return (
          reroute?.(method, bound, all) ?? (call as (...args: unknown[]) => unknown)(bound, all)
        );
      };
    };
    Object.defineProperty(group, path.at(-1)!, { enumerable: true, get });
  }
  return root;
}

function hasSessionId(node: CheckNode): boolean {
  if (fieldsOf(node).some(([name]) => name === "sessionId")) return true;
  const form = formOf(node);
  const variants = form[0] === "tagged" || form[0] === "union" ? form[2] : {};
  return Object.values(variants).some(hasSessionId);
}
