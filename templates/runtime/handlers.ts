import { missingCapability, type MethodDescriptor } from "./methods.js";

export type Handler = (params: unknown, context: unknown) => unknown;

/** The handler at a path of names, bound to the object that holds it. */
export function findHandler(handlers: object, path: readonly string[]): Handler | undefined {
  let holder: object = handlers;
  for (const name of path.slice(0, -1)) {
    const next = (holder as Record<string, unknown>)[name];
    if (typeof next !== "object" || next === null) return undefined;
    holder = next;
  }
  const handler = (holder as Record<string, unknown>)[path.at(-1)!];
  return typeof handler === "function" ? (handler.bind(holder) as Handler) : undefined;
}

/**
 * Makes sure that a role advertises exactly what it handles.
 *
 * @throws Error for a missing baseline handler, for a capability without its
 *   handler and for a handler without its capability
 */
export function checkHandlers(definition: {
  readonly role: "agent" | "client";
  readonly methods: readonly MethodDescriptor[];
  readonly handlers: object;
  readonly advertised: object;
}): void {
  const { role, methods, handlers, advertised } = definition;
  for (const { name, side, handler: path, gate } of methods) {
    if (side !== role || name === "initialize") continue;
    const has = findHandler(handlers, path) !== undefined;
    const at = `handlers.${path.join(".")}`;
    if (gate?.kind === "always") {
      if (gate.reason === "baseline" && !has)
        throw new Error(`${at} is missing: every ${role} handles ${name}`);
    } else if ((gate?.kind === "capability" || gate?.kind === "key") && gate.side === role) {
      const missing = missingCapability(gate, { [role]: advertised });
      if (has && missing !== undefined) {
        throw new Error(
          `${at} is given, but ${missing} is not advertised: advertise it or leave the handler out`,
        );
      }
      if (!has && missing === undefined) {
        throw new Error(
          `${gate.path.join(".")} is advertised, but ${at} is missing: add it or do not advertise it`,
        );
      }
    }
  }
}
