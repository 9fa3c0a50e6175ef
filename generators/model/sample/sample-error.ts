/** A value that cannot be made; an alternative may do. */
export class SampleError extends Error {
  override readonly name = "SampleError";
}

/** The first that can be made; throws why the last one cannot. */
export function firstBuildable<T>(alternatives: readonly (() => T)[]): T {
  let reason = new SampleError("it has no variants");
  for (const alternative of alternatives) {
    try {
      return alternative();
    } catch (error) {
      if (!(error instanceof SampleError)) throw error;
      reason = error;
    }
  }
  throw reason;
}
