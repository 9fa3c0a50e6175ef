/** The range of an integer. */
export interface IntegerWidth {
  readonly bits: 8 | 16 | 32 | 64;
  readonly isSigned: boolean;
}

/**
 * Returns the width of an integer by its format, e.g. `uint32`; 64 bits with a sign without one. A
 * language may use a type of this width: JSON has no widths, so that a value outside is valid, and a
 * type that cannot hold it reports the case as `representation`.
 */
export function integerWidth({ format = "" }: { readonly format?: string }): IntegerWidth {
  const [, unsigned, bits = "64"] = /^(u?)int(8|16|32|64)$/.exec(format) ?? [];
  return { bits: Number(bits) as IntegerWidth["bits"], isSigned: unsigned !== "u" };
}
