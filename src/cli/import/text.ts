/** Prints the program. Pure. */
import { type Expression, partsOf, type Statement } from './expression';
import type { Names } from './names';
import { oneLine, printStatement } from './print';
import {
  apartEnd,
  apartOpening,
  type ChartOf,
  chartsIn,
  chartStatement,
  contextOf,
  declaring,
  gatesOf,
  type Item,
  usedIn,
} from './settle';

export interface TextOptions {
  /** Command line, for the comment at the top. */
  readonly command: string;
  /** Whether the module is an ES module, which lacks `__dirname`. */
  readonly esm?: boolean;
}

/** Prints the whole file. */
export function textOf(
  items: readonly Item[],
  charts: readonly ChartOf[],
  names: Names,
  { command, esm }: TextOptions,
): string {
  const used = usedIn(items);
  const linesOf = (item: Item): Statement[] => {
    const lines = [...apartOpening(item), ...declaring(item, used, charts), ...apartEnd(item)];
    const comment = [...(item.comment ?? []), ...(lines[0]!.comment ?? [])];
    return [{ ...lines[0]!, comment }, ...lines.slice(1)];
  };
  const context = contextOf('app', gatesOf(items));
  const own = chartsIn(items, charts);
  const blocks = charts.map((chart, i) => ({
    opening: own.includes(chart) ? [chartStatement(chart)] : [],
    objects: items.filter((item) => item.chart === i).map(linesOf),
  }));
  const all = [...context, ...blocks.flatMap(({ opening, objects }) => [...opening, ...objects.flat()])];
  const imports = importsOf(all.map(({ expression }) => expression));
  const printed = blocks.map(({ opening, objects }) =>
    [
      ...opening.map(printStatement),
      ...objects.map((lines) => withConstants(lines, names).map(printStatement).join('')),
    ].join('\n'),
  );
  const outdir = `process.env.CDK8S_OUTDIR ?? join(${esm ? 'import.meta.dirname' : '__dirname'}, 'dist')`;
  return [
    `// ${oneLine(`written by: ${command}`)}\n`,
    `import { join } from 'node:path';\n`,
    imports,
    '\n',
    `// the manifests are written to dist/ next to this file\nconst app = new App({ outdir: ${outdir} });\n`,
    ...context.map(printStatement),
    printed.length === 1 ? printed[0]! : printed.map((block) => `\n${block}`).join(''),
    '\napp.synth();\n',
  ].join('');
}

function importsOf(expressions: readonly Expression[]): string {
  const used = { cdk8s: new Set(['App']), virt8s: new Set<string>() };
  for (const expression of expressions) {
    for (const part of partsOf(expression)) if (part.type === 'exported') used[part.library].add(part.path[0]!);
  }
  return (['cdk8s', 'virt8s'] as const)
    .filter((library) => used[library].size > 0)
    .map((library) => importOf([...used[library]].sort(), library))
    .join('');
}

function importOf(names: readonly string[], library: string): string {
  const line = `import { ${names.join(', ')} } from '${library}';\n`;
  return line.length <= 121 ? line : `import {\n${names.map((name) => `  ${name},\n`).join('')}} from '${library}';\n`;
}

/** Moves long texts to constants before the statement that uses them. */
function withConstants(statements: readonly Statement[], names: Names): Statement[] {
  return statements.flatMap((statement, i) => {
    const constants: Statement[] = [];
    const expression = hoisted(statement.expression, (text, hint) => {
      const name = names.identifier(hint);
      constants.push({ declares: name, expression: { type: 'text', name, value: text } });
      return name;
    });
    if (constants.length === 0) return [statement];
    const [first, ...rest] = constants;
    return [
      { ...first!, comment: i === 0 ? statement.comment : undefined },
      ...rest,
      { ...statement, comment: i === 0 ? undefined : statement.comment, expression },
    ];
  });
}

function hoisted(expression: Expression, constant: (text: string, hint: string) => string): Expression {
  const again = (inner: Expression): Expression => hoisted(inner, constant);
  switch (expression.type) {
    case 'text':
      return { ...expression, name: constant(expression.value, expression.name) };
    case 'object':
      return { ...expression, entries: expression.entries.map(([key, inner]) => [key, again(inner)] as const) };
    case 'list':
      return { ...expression, items: expression.items.map(again) };
    case 'call':
    case 'new':
      return { ...expression, args: expression.args.map(again) };
    default:
      return expression;
  }
}
