import ts from "typescript";

/** A generated TypeScript file. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** The statements that a generated file of that name may consist of. */
const KINDS: { readonly [file: string]: readonly ts.SyntaxKind[] } = {
  types: [ts.SyntaxKind.InterfaceDeclaration, ts.SyntaxKind.TypeAliasDeclaration],
  received: [
    ts.SyntaxKind.ImportDeclaration,
    ts.SyntaxKind.ExportDeclaration,
    ts.SyntaxKind.InterfaceDeclaration,
    ts.SyntaxKind.TypeAliasDeclaration,
  ],
  methods: [ts.SyntaxKind.ImportDeclaration, ts.SyntaxKind.VariableStatement],
  protocol: [ts.SyntaxKind.ImportDeclaration, ts.SyntaxKind.VariableStatement],
  schemas: [
    ts.SyntaxKind.ImportDeclaration,
    ts.SyntaxKind.TypeAliasDeclaration,
    ts.SyntaxKind.VariableStatement,
  ],
  naming: [
    ts.SyntaxKind.ImportDeclaration,
    ts.SyntaxKind.FunctionDeclaration,
    ts.SyntaxKind.VariableStatement,
    ts.SyntaxKind.InterfaceDeclaration,
    ts.SyntaxKind.TypeAliasDeclaration,
  ],
  checks: [
    ts.SyntaxKind.ImportDeclaration,
    ts.SyntaxKind.FunctionDeclaration,
    ts.SyntaxKind.VariableStatement,
  ],
  mocks: [
    ts.SyntaxKind.ImportDeclaration,
    ts.SyntaxKind.InterfaceDeclaration,
    ts.SyntaxKind.VariableStatement,
  ],
  roles: [
    ts.SyntaxKind.ImportDeclaration,
    ts.SyntaxKind.InterfaceDeclaration,
    ts.SyntaxKind.TypeAliasDeclaration,
  ],
  index: [ts.SyntaxKind.ExportDeclaration],
};

/** Oracle 1: what speaks against a file: errors of its syntax, statements that nobody meant. */
export function syntaxFaults({ path, text }: Source): string[] {
  const { diagnostics = [] } = ts.transpileModule(text, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
  });
  const errors = diagnostics.map(({ messageText }) => JSON.stringify(messageText));
  // ajv's code is made of what ajv makes it of.
  const name = /([\w-]+)\.ts$/.exec(path)![1]!;
  if (name === "ajv") return errors;
  const odd = parse(text).statements.filter(({ kind }) => !KINDS[name]?.includes(kind));
  return [...errors, ...odd.map(({ kind }) => ts.SyntaxKind[kind]!)].map(
    (fault) => `${path}: ${fault}`,
  );
}

/** Every literal, name and key of files, as the values that they stand for. */
export function wordsOf(sources: readonly Source[]): ReadonlySet<string> {
  const words = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) words.add(node.text);
    else if (ts.isTemplateExpression(node)) words.add(node.getText());
    else if (ts.isRegularExpressionLiteral(node)) words.add(node.text);
    ts.forEachChild(node, visit);
  };
  for (const { text } of sources) visit(parse(text));
  return words;
}

/** Every comment of files, without what stands around and between its words. */
export function commentsOf(sources: readonly Source[]): readonly string[] {
  return sources.flatMap(({ text }) => {
    const comments: string[] = [];
    const scanner = ts.createScanner(
      ts.ScriptTarget.Latest,
      false,
      ts.LanguageVariant.Standard,
      text,
    );
    for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan())
      if (kind === ts.SyntaxKind.MultiLineCommentTrivia)
        comments.push(essence(scanner.getTokenText()));
    return comments;
  });
}

/** A text without blanks and line ends, and without what comments are drawn and escaped with. */
export function essence(text: string): string {
  return text.replace(/[\s*\\\uE000\uE001\u200b\ufeff]/g, "");
}

function parse(text: string): ts.SourceFile {
  return ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest, true);
}
