/** Subpaths of the package whose modules are not in a folder of that name. */
const MODULES: { readonly [subpath: string]: string } = {
  agent: "agent",
  conformance: "runtime/conformance/index",
  "file-sessions": "runtime/file-sessions/index",
  nes: "runtime/nes/index",
  remote: "runtime/remote/index",
  "remote/node": "runtime/remote/node/index",
  stdio: "runtime/stdio/index",
};

/** Returns the path of the module that a virtual name, such as `v1`, `v1/types` or `stdio`, stands for. */
export function virtualModule(name: string): string {
  return `${MODULES[name] ?? (name.includes("/") ? name : `${name}/index`)}.js`;
}

/** Returns the virtual name of a module: the reverse of `virtualModule`. */
export function virtualName(path: string): string {
  const module = path.replace(/(\.d\.ts|\.js)$/, "");
  const known = Object.keys(MODULES).find((name) => MODULES[name] === module);
  return known ?? module.replace(/\/index$/, "");
}
