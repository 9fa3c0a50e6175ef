/** Finds the method `initialize` among methods of any form. */
export function findInitialize<T extends { readonly name: string; readonly side: string }>(
  methods: readonly T[],
): T | undefined {
  return methods.find(({ name, side }) => name === "initialize" && side === "agent");
}
