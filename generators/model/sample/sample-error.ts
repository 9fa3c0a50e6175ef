/** A value that cannot be made; an alternative may do. */
export class Unmakeable extends Error {
  override readonly name = "Unmakeable";
}

/** The first that can be made; throws why the last one cannot. */
export function firstOf<T>(alternatives: readonly (() => T)[]): T {
  let reason = new Unmakeable("it has no variants");
  for (const alternative of alternatives) {
    try {
      return alternative();
    } catch (error) {
      if (!(error instanceof Unmakeable)) throw error;
      reason = error;
    }
  }
  throw reason;
}
