/** Folders and subpaths of the generated package, and of the site, that are not profiles. */
const SUBPATHS = ["runtime", "stdio", "remote", "agent", "session", "nes", "conformance", "bridge"];
const PAGES = ["tool"];

/** Names of devices, which Windows does not allow for folders. */
const DEVICES = /^(con|prn|aux|nul|(com|lpt)\d)$/;

/** Returns why a profile name is invalid: it becomes a folder, a subpath and a part of URLs. */
export function profileNameProblem(name: string): string | undefined {
  if (SUBPATHS.includes(name))
    return `the profile name "${name}" is taken by the generated package`;
  if (PAGES.includes(name)) return `the profile name "${name}" is taken by the generated site`;
  if (DEVICES.test(name))
    return `the profile name "${name}" names a device on Windows, where a folder cannot have it`;
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) return undefined;
  return `${JSON.stringify(name)} is not a profile name: lower-case words and digits, joined by hyphens`;
}
