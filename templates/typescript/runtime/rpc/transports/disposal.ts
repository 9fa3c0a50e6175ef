import type { MessageStream, Transport } from "./transport.js";

// Older libraries of TypeScript lack these declarations; newer ones merge with them.
declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
    readonly dispose: unique symbol;
  }
}

/** The method that `await using` calls. */
export interface Disposal {
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Returns the disposal of a transport that has one, as that of an agent process, which ends the
 * process; an empty object for other transports and where the engine lacks `Symbol.asyncDispose`.
 */
export function disposalOf(transport: Transport | MessageStream): Partial<Disposal> {
  const symbol = Symbol.asyncDispose as symbol | undefined;
  if (symbol === undefined || !(symbol in transport)) return {};
  return { [Symbol.asyncDispose]: () => (transport as unknown as Disposal)[Symbol.asyncDispose]() };
}

/** Returns the disposal of a connection: it closes the connection and disposes of its transports. */
export function disposalOfConnection(
  connection: { readonly closed: Promise<unknown>; close(): void },
  ...transports: readonly (Transport | MessageStream)[]
): Disposal {
  const dispose = async (): Promise<void> => {
    connection.close();
    await Promise.all(
      transports.map(async (transport) => disposalOf(transport)[Symbol.asyncDispose]?.()),
    );
    await connection.closed;
  };
  const symbol = Symbol.asyncDispose as symbol | undefined;
  return (symbol === undefined ? {} : { [symbol]: dispose }) as unknown as Disposal;
}
