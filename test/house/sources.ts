import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { ROOT } from "../support/paths.js";

/** A TypeScript file of the repository. */
export interface Source {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

/** An import of any kind: a declaration, `export … from`, `import()` and `import("…").Type`. */
export interface Import {
  /** A path relative to the root for files of ours, a name for packages. */
  readonly from: string;
  /** The imported names, as the source has them. */
  readonly names: string;
}

const read = new Map<string, readonly Source[]>();

/** Returns all TypeScript files below a folder of a checkout, by default this one; each is read once. */
export function readSources(folder: string, root = ROOT): readonly Source[] {
  const key = join(root, folder);
  const sources = read.get(key) ?? readFolder(folder, root);
  read.set(key, sources);
  return sources;
}

function readFolder(folder: string, root: string): Source[] {
  return filesBelow(folder, root)
    .filter((path) => path.endsWith(".ts"))
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      const imports = importsOf(path, text).map(({ from, names }) => ({
        from: resolved(path, from),
        names,
      }));
      return { path, text, imports };
    });
}

/** Returns the paths of all files below a folder, relative to the root and in order. */
export function filesBelow(folder: string, root = ROOT): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((path) => !/(^|\/)(node_modules|generated)\//.test(path))
    .sort();
}

function importsOf(path: string, text: string): Import[] {
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined)
      found.push({ from: specifier, names: node.getText(file).replace(/\s+/g, " ").slice(0, 80) });
    ts.forEachChild(node, visit);
  };
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  visit(file);
  return found;
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
    return node.moduleSpecifier && textOf(node.moduleSpecifier);
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return node.arguments[0] && textOf(node.arguments[0]);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return textOf(node.argument.literal);
  return undefined;
}

function textOf(node: ts.Node): string | undefined {
  return ts.isStringLiteralLike(node) ? node.text : undefined;
}

function resolved(path: string, from: string): string {
  if (!from.startsWith(".")) return from;
  return join(path, "..", from).replaceAll("\\", "/").replace(/\.js$/, ".ts");
}
