/**
 * Declarations of the constructs as users see them. jsii knows no read-only lists, and keeps internal members: this step
 * over its output makes lists read-only, leaves internal members out, and lets an optional property be `undefined`, as
 * `exactOptionalPropertyTypes` distinguishes.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Rewrites every declaration below a folder. Does nothing the second time. */
export function polishDeclarations(folder: string): void {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue;
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    const polished = polishDeclaration(text);
    if (polished !== text) writeFileSync(path, polished);
  }
}

/** The text of a declaration file, rewritten. */
export function polishDeclaration(text: string): string {
  const source = ts.createSourceFile('declaration.d.ts', text, ts.ScriptTarget.Latest, true);
  const edits: Edit[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassElement(node) || ts.isTypeElement(node)) {
      const edit = hidden(node, text);
      if (edit) {
        edits.push(edit);
        return;
      }
    }
    if (ts.isArrayTypeNode(node) && !isReadonly(node) && !isRest(node)) {
      edits.push({
        start: node.getStart(),
        end: node.getStart(),
        text: needsBrackets(node) ? '(readonly ' : 'readonly ',
      });
      if (needsBrackets(node)) edits.push({ start: node.end, end: node.end, text: ')' });
    }
    if (ts.isPropertySignature(node) && node.questionToken && node.type && !allowsUndefined(node.type)) {
      const { type } = node;
      // what a function returns is another type
      const isFunction = ts.isFunctionTypeNode(type) || ts.isConstructorTypeNode(type);
      if (isFunction) edits.push({ start: type.getStart(), end: type.getStart(), text: '(' });
      edits.push({ start: type.end, end: type.end, text: isFunction ? ') | undefined' : ' | undefined' });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return apply(text, edits);
}

/** An internal member is left out; an internal constructor is private, since one that is missing is public. */
function hidden(node: ts.ClassElement | ts.TypeElement, text: string): Edit | undefined {
  if (!ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal')) return undefined;
  if (!ts.isConstructorDeclaration(node)) {
    return { start: node.getFullStart(), end: node.end, text: '' };
  }
  if (node.modifiers?.length) return undefined;
  const indent = /[ \t]*$/.exec(text.slice(0, node.getStart()))?.[0] ?? '';
  return { start: node.getFullStart(), end: node.end, text: `\n${indent}private constructor();` };
}

const isReadonly = ({ parent }: ts.Node): boolean =>
  ts.isTypeOperatorNode(parent) && parent.operator === ts.SyntaxKind.ReadonlyKeyword;
const isRest = ({ parent }: ts.Node): boolean => ts.isParameter(parent) && parent.dotDotDotToken !== undefined;
/** `readonly A[][]` is a read-only list of lists that are not. */
const needsBrackets = ({ parent }: ts.Node): boolean => ts.isArrayTypeNode(parent);
const allowsUndefined = (type: ts.TypeNode): boolean =>
  type.kind === ts.SyntaxKind.AnyKeyword ||
  type.kind === ts.SyntaxKind.UnknownKeyword ||
  (ts.isUnionTypeNode(type) && type.types.some(({ kind }) => kind === ts.SyntaxKind.UndefinedKeyword));

function apply(text: string, edits: readonly Edit[]): string {
  // of edits at one place, the outer one comes first
  const ordered = edits.map((edit, i) => ({ ...edit, i })).sort((a, b) => b.start - a.start || b.i - a.i);
  return ordered.reduce((rest, { start, end, text: added }) => rest.slice(0, start) + added + rest.slice(end), text);
}
