/** Folders and subpaths of the generated package that are no profiles. */
const RESERVED = ["runtime", "stdio"];

/** Returns why a profile name is invalid: it becomes a folder, a subpath and a part of URLs. */
export function profileNameProblem(name: string): string | undefined {
  if (RESERVED.includes(name))
    return `the profile name "${name}" is taken by the generated package`;
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) return undefined;
  return `${JSON.stringify(name)} is not a profile name: lower-case words and digits, joined by hyphens`;
}
