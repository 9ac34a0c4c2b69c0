import ts from 'typescript';

/** One small change of a source file that a test should notice. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** `42: a < b -> a <= b`. */
  readonly description: string;
}

const swaps: Readonly<Record<number, string>> = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.PlusToken]: '-',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.AsteriskToken]: '/',
  [ts.SyntaxKind.SlashToken]: '*',
};

const methods: Readonly<Record<string, string>> = { some: 'every', every: 'some', min: 'max', max: 'min' };

/**
 * The mutants of a source text: operators, booleans, numbers, conditions and words. Sentences that people read are left
 * alone, and types have no behaviour.
 */
export function mutantsOf(text: string, fileName = 'file.ts'): Mutant[] {
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const add = (node: ts.Node, replacement: string, shown: ts.Node = node): void => {
    const start = node.getStart(source);
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    const context = (from: number, to: number, middle: string): string =>
      (text.slice(shown.getStart(source), from) + middle + text.slice(to, shown.end)).replace(/\s+/g, ' ').slice(0, 90);
    const before = context(start, node.end, text.slice(start, node.end));
    found.push({
      start,
      end: node.end,
      replacement,
      description: `${line}: ${before} -> ${context(start, node.end, replacement)}`,
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return;
    // a name of a module: sources that do not load tell nothing about the tests
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) binary(node, add);
    else if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false', node.parent);
    else if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true', node.parent);
    else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      add(node, node.operand.getText(source), node.parent);
    else if (ts.isNumericLiteral(node) && !ts.isPropertyAssignment(node.parent.parent ?? node))
      add(node, `(${node.text} + 1)`, node.parent);
    else if (ts.isStringLiteral(node) && isWord(node)) add(node, "''", node.parent);
    else if (ts.isConditionalExpression(node) || ts.isIfStatement(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition;
      // the operators below have mutants of their own; these two find a condition that no test makes true, or false
      for (const value of ['true', 'false']) add(condition, `(${value} as boolean)`);
    } else if (ts.isPropertyAccessExpression(node) && Object.hasOwn(methods, node.name.text)) {
      if (ts.isCallExpression(node.parent)) add(node.name, methods[node.name.text]!, node.parent);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Whether a text is a value that programs read, such as a verb or a phase. */
const isWord = ({ text, parent }: ts.StringLiteral): boolean =>
  /^[\w./-]+$/.test(text) && !(ts.isPropertyAssignment(parent) && parent.name.getText() === `'${text}'`);

function binary(node: ts.BinaryExpression, add: (node: ts.Node, replacement: string, shown?: ts.Node) => void): void {
  const { operatorToken, left, right } = node;
  const texts = [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));
  const swap = swaps[operatorToken.kind];
  // a text and something else: concatenation
  if (swap && !(operatorToken.kind === ts.SyntaxKind.PlusToken && texts)) add(operatorToken, swap, node);
  if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) add(node, left.getText());
}
