import { readFileSync } from "node:fs";
import ts from "typescript";

/** The figures of a program's text. */
export interface Figures {
  /** Lines that are not blank, imports and comments included. */
  readonly lines: number;
  /** How often the word `sessionId` is written. */
  readonly sessionIds: number;
  /** Type assertions, other than `as const`. */
  readonly casts: number;
  /** Different modules of the library and its companions that are imported. */
  readonly imports: number;
}

const LIBRARIES = /^(acp-bindings|@agentclientprotocol\/sdk)(\/|$)|\/generated\//;

export function count(file: string): Figures {
  const text = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const imports = new Set<string>();
  let casts = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) casts++;
    if (ts.isNonNullExpression(node)) casts++;
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      if (LIBRARIES.test(node.moduleSpecifier.text)) imports.add(node.moduleSpecifier.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return {
    lines: text.split("\n").filter((line) => line.trim() !== "").length,
    sessionIds: text.match(/sessionId/g)?.length ?? 0,
    casts,
    imports: imports.size,
  };
}
