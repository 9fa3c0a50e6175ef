// Bundles the modules in `dist` into few files, since loading a module costs more than its code. The declarations stay.
import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";

const { exports, bin = {} } = JSON.parse(readFileSync("package.json", "utf8"));
const entries = [...Object.values(exports).map((entry) => entry.default), ...Object.values(bin)]
  .filter((file) => file !== undefined)
  .map((file) => file.replace(/^(\.\/)?dist\//, "").replace(/\.js$/, ""));
const profiles = entries.flatMap((entry) => /^([^/]+)\/schemas$/.exec(entry)?.[1] ?? []);

// Code that is loaded together; of two groups, the upper one has a module.
const groups = [
  ["validate", "runtime/(validate/|acp-error)"],
  // Apart from the rest, since browsers cannot resolve what it imports.
  ["stdio", "runtime/stdio/(?!bridge)"],
  ["core", "runtime/(?!stdio|remote|file-sessions|bridge|mocks|conformance/(?!select|config))"],
  ...profiles.map((name) => [`checks-${name}`, `${name}/(internal/checks|schemas)`]),
  ...profiles.map((name) => [`roles-${name}`, `${name}/(roles|methods|index|internal)`]),
].map(([name, paths], index) => ({
  name,
  test: new RegExp(`[\\\\/]dist[\\\\/]${paths.replaceAll("/", "[\\\\/]")}`),
  priority: 1000 - index,
}));

const bundle = await rolldown({
  input: Object.fromEntries(entries.map((entry) => [entry, resolve("dist", `${entry}.js`)])),
  platform: "node",
  external: [/^node:/],
});
const dir = "dist-bundled";
await bundle.write({
  dir,
  format: "esm",
  chunkFileNames: "shared/[name].js",
  minify: false,
  comments: { legal: false, annotation: true, jsdoc: false },
  codeSplitting: { groups },
});
await bundle.close();

const files = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
for (const file of files("dist")) if (file.endsWith(".js")) rmSync(file);
renameSync(join(dir, "shared"), join("dist", "shared"));
for (const file of files(dir)) renameSync(file, join("dist", file.slice(dir.length + 1)));
rmSync(dir, { recursive: true });
