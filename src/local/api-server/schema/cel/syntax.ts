import { ASTNode } from '@marcbachmann/cel-js';

/** Nodes directly below a node of the syntax tree, in the order of the text. */
export function childrenOf(node: ASTNode): ASTNode[] {
  if (node.op === 'value' || node.op === 'id') return [];
  const args: unknown[] = Array.isArray(node.args) ? node.args : [node.args];
  return args.flat(2).filter((arg): arg is ASTNode => typeof arg === 'object' && arg !== null && 'op' in arg);
}
