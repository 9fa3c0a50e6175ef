/** Returns whether npm accepts a name for a package. */
export function isPackageName(value: string): boolean {
  const hasForm = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(value);
  return hasForm && value.length <= 214;
}
