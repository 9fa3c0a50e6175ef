import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { componentsOf, type PackageManifest } from "./components.js";
import { readLock } from "./lockfile.js";
import { printLicenses, printSbom } from "./sbom.js";

/** What a tarball says of its dependencies; made when it is packed. */
const SBOM = "sbom.cdx.json";
const LICENSES = "DEPENDENCIES.md";

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly integrity: string;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

/** A packed npm package. */
export interface Tarball extends Packed {
  /** Its path on the disk. */
  readonly file: string;
  readonly bytes: Buffer;
}

/**
 * Packs a package with its bill of materials, so that the same files give the
 * same bytes: npm itself puts the modes into the tarball that the umask of a
 * checkout has left.
 *
 * @param folder the package, built
 * @param into an existing folder for the tarball
 */
export function pack(folder: string, into: string): Tarball {
  const staging = mkdtempSync(join(tmpdir(), "acp-pack-"));
  try {
    const { files } = runPack(folder, ["--dry-run"]);
    for (const { path } of files) {
      const copy = join(staging, path);
      mkdirSync(dirname(copy), { recursive: true });
      cpSync(join(folder, path), copy);
      chmodSync(copy, readFileSync(copy).subarray(0, 2).toString() === "#!" ? 0o755 : 0o644);
    }
    for (const [name, text] of billOf(folder)) {
      writeFileSync(join(staging, name), text);
      chmodSync(join(staging, name), 0o644);
    }
    const packed = runPack(staging, ["--pack-destination", resolve(into)]);
    const file = join(resolve(into), packed.filename.replace("@", "").replace("/", "-"));
    return { ...packed, file, bytes: readFileSync(file) };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The files that say what a package depends on; one without dependencies needs no list of their licenses. */
function billOf(folder: string): readonly [name: string, text: string][] {
  const manifest = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as PackageManifest;
  const lock = existsSync(join(folder, "package-lock.json")) ? readLock(folder) : { packages: {} };
  const components = componentsOf(manifest, lock);
  return [
    [SBOM, printSbom(manifest, components)],
    ...(components.length > 0
      ? ([[LICENSES, printLicenses(manifest, components)]] as [string, string][])
      : []),
  ];
}

function runPack(folder: string, args: readonly string[]): Packed {
  const printed = execFileSync("npm", ["pack", "--ignore-scripts", "--json", ...args], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 64 * 1024 * 1024,
  });
  // npm 11 prints a list, npm 12 an object by name.
  return Object.values(JSON.parse(printed) as object)[0] as Packed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = ".", into = "."] = process.argv.slice(2);
  const { file, integrity } = pack(folder, into);
  process.stdout.write(`${file}\n${integrity}\n`);
}
