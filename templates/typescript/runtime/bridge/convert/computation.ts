/** The context of a computation, besides the value. */
export interface ConversionContext {
  /** Reports a loss that the mapping declares under this reason. */
  readonly lose: (reason: string) => void;
  /** Converts a value by the rule of a pair; `REJECTED` when it cannot be said. */
  readonly convert: (pair: string, value: unknown, ...path: readonly string[]) => unknown;
}

/** A conversion in code. A value of an unexpected type is kept. */
export type Computation = (value: unknown, context: ConversionContext) => unknown;
