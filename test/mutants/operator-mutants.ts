import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "../support/paths.js";
import type { Change } from "./try-mutant.js";

/** A change by an operator, as an entry of `mutants.json` and for a reader. */
export interface OperatorMutant extends Change {
  readonly line: number;
  /** What becomes what, on one line. */
  readonly what: string;
}

/** The text from `start` to `end` becomes `text`. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What each operator becomes. */
const FLIPPED: Readonly<Record<string, string>> = {
  ...{ "===": "!==", "!==": "===", "==": "!=", "!=": "==" },
  ...{ "<": "<=", "<=": "<", ">": ">=", ">=": ">" },
  ...{ "&&": "||", "||": "&&", "+": "-", "-": "+", "*": "/" },
  ...{ and: "or", or: "and", "not ": "", "!": "" },
  ...{ true: "false", false: "true", True: "False", False: "True" },
};

/** Returns all operator mutants of a file in TypeScript, Python or Go. */
export function operatorMutants(file: string): OperatorMutant[] {
  const source = readFileSync(join(ROOT, file), "utf8");
  const edits = file.endsWith(".ts") ? editsOfSyntax(source) : editsOfText(source, file);
  return edits
    .filter(({ start, end, text }) => source.slice(start, end) !== text)
    .map((edit) => toMutant(file, source, edit));
}

function toMutant(file: string, source: string, { start, end, text }: Edit): OperatorMutant {
  // Whole lines, and as many as make the text unique.
  let from = source.lastIndexOf("\n", start - 1) + 1;
  let to = endOfLine(source, end);
  while (source.split(source.slice(from, to)).length > 2) {
    from = source.lastIndexOf("\n", from - 2) + 1;
    to = endOfLine(source, to + 1);
  }
  const line = source.slice(0, start).split("\n").length;
  return {
    file,
    line,
    what: `${short(source.slice(start, end))} -> ${short(text) || "(removed)"}`,
    from: source.slice(from, to),
    to: source.slice(from, start) + text + source.slice(end, to),
  };
}

function endOfLine(source: string, at: number): number {
  const end = source.indexOf("\n", at);
  return end === -1 ? source.length : end;
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 70 ? `${line.slice(0, 70)}…` : line;
}

function editsOfSyntax(source: string): Edit[] {
  const file = ts.createSourceFile("x.ts", source, ts.ScriptTarget.Latest, true);
  const edits: Edit[] = [];
  const put = (node: ts.Node, text: string): void => {
    edits.push({ start: node.getStart(file), end: node.end, text });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const flipped = FLIPPED[node.operatorToken.getText(file)];
      if (flipped !== undefined) put(node.operatorToken, flipped);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      put(node, node.operand.getText(file));
    else if (ts.isIfStatement(node) || ts.isWhileStatement(node))
      put(node.expression, `!(${node.expression.getText(file)})`);
    else if (ts.isConditionalExpression(node)) {
      const [yes, no] = [node.whenTrue.getText(file), node.whenFalse.getText(file)];
      edits.push({
        start: node.whenTrue.getStart(file),
        end: node.end,
        text: `(${no}) : (${yes})`,
      });
    } else if (ts.isAwaitExpression(node)) put(node, node.expression.getText(file));
    else if (isRemovable(node)) put(node, ";");
    else if (ts.isNumericLiteral(node)) {
      for (const step of ["+", "-"]) put(node, `(${node.text} ${step} 1)`);
    } else if (ts.isStringLiteral(node) && node.text !== "" && !isKey(node)) put(node, '""');
    else if (node.kind === ts.SyntaxKind.TrueKeyword) put(node, "false");
    else if (node.kind === ts.SyntaxKind.FalseKeyword) put(node, "true");
    ts.forEachChild(node, visit);
  };
  visit(file);
  return edits;
}

/** A statement with an effect, and an early exit. The last return of a function is not one. */
function isRemovable(node: ts.Node): boolean {
  if (ts.isReturnStatement(node)) return !isLast(node);
  return (
    ts.isExpressionStatement(node) ||
    ts.isThrowStatement(node) ||
    ts.isContinueStatement(node) ||
    (ts.isBreakStatement(node) && !ts.isCaseClause(node.parent))
  );
}

function isLast({ parent, end }: ts.Node): boolean {
  return (
    ts.isBlock(parent) && ts.isFunctionLike(parent.parent) && parent.statements.at(-1)!.end === end
  );
}

/** The name of a property, without which the text has another syntax. */
function isKey({ parent, pos }: ts.Node): boolean {
  return ts.isPropertyAssignment(parent) && parent.name.pos === pos;
}

/** Comments and literal texts of Python and Go, which operators leave alone. */
const OPAQUE =
  /"""[^]*?"""|'''[^]*?'''|[rfb]*"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`[^`]*`|\/\/[^\n]*|\/\*[^]*?\*\/|#[^\n]*/g;

const OPERATOR =
  /(?<=\s)(?:===?|!==?|<=?|>=?|&&|\|\||and|or|[-+*])(?=\s)|(?<=[\s(])!(?=[\w(])|\bnot (?!in\b)|\b(?:true|false|True|False)\b/g;

/** A whole statement on one line: a call, an assignment to a member, or an early exit. */
const STATEMENT =
  /^[ \t]+((?:await |go )?[\w.]+\(.*\)|(?:self\.)?\w+(?:\.\w+)+ [-+]?= [^\n({[]+|return\b[^\n{([]*|raise [^\n]+|continue|break)$/gm;

const CONDITION = /(?<=\b(?:if|while|elif) (?:[^\n;]*; )?)[^\n:{;]+(?=:$| \{$)/gm;

const NUMBER = /(?<![\w.])\d+(?![\w.])/g;
const STRING = /(?<=[(=,:{\s])"(?:\\.|[^"\\\n])+"/g;

function editsOfText(source: string, file: string): Edit[] {
  const isPython = file.endsWith(".py");
  const code = source.replaceAll(OPAQUE, (text) => text.replaceAll(/[^\n"'`]/g, "_"));
  const found = (pattern: RegExp, change: (text: string) => string): Edit[] =>
    [...code.matchAll(pattern)].map((match) => {
      const start = match.index + match[0].indexOf(match[1] ?? "");
      const end = start + (match[1] ?? match[0]).length;
      return { start, end, text: change(source.slice(start, end)) };
    });
  return [
    ...found(OPERATOR, (operator) => FLIPPED[operator] ?? operator),
    ...found(CONDITION, (text) => (isPython ? `not (${text})` : `!(${text})`)),
    ...found(STATEMENT, () => (isPython ? "pass" : "")),
    ...found(NUMBER, (number) => `${Number(number) + 1}`),
    ...found(NUMBER, (number) => `${Number(number) - 1}`),
    ...found(STRING, () => '""'),
    ...(isPython ? found(/\bawait /g, () => "") : []),
  ];
}
