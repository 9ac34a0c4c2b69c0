import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as cdk8s from 'cdk8s';
import * as virt8s from '../../../../src';
import { type CodeFinding, findingsOf } from '../../../../src/api';
import { reportsOf } from '../../../../src/constructs/reports';
import { programOf } from '../../../support/code-blocks';
import { expectGolden } from '../../../support/golden';
import { typeErrors } from '../../../support/type-errors';
import { computeMistakes } from './compute-mistakes';
import { manifestWords } from '../manifest-words';
import { manifestMistakes } from './manifest-mistakes';
import { type Mistake, mistakes as firstMistakes } from './mistakes';
import { networkMistakes } from './network-mistakes';
import { newcomerMistakes } from './newcomer-mistakes';
import { runtimeMistakes } from './runtime-mistakes';
import { storageMistakes } from './storage-mistakes';
import { tableOfMistakes } from './table';

const mistakes: readonly Mistake[] = [
  ...firstMistakes,
  ...runtimeMistakes,
  ...newcomerMistakes,
  ...storageMistakes,
  ...networkMistakes,
  ...computeMistakes,
  ...manifestMistakes,
];

/** Each mistake is written as a user writes it. The compiler, construction or synth must be the first to report it. */
const checkout = resolve(__dirname, '../../../..');
const modules = { cdk8s: Object.keys(cdk8s), virt8s: Object.keys(virt8s) };
const folder = mkdtempSync(join(checkout, 'examples/.mistakes-'));
const fileOf = (i: number): string => join(folder, `mistake-${i}.ts`);
const said = new Map<number, string>();
/** Findings of the mistakes in constructs. */
const findings: CodeFinding[] = [];
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(() => {
  mistakes.forEach(({ code }, i) => {
    // without the final synth of a documentation example: synth is a separate tier
    const program = programOf({ where: '', language: 'ts', words: [], text: `${code}\n` }, modules);
    const declared = /\bconst app\b/.test(program) ? program.replace(/\napp\.synth\(\);\n/, '\n') : program;
    writeFileSync(fileOf(i), declared.replace('export {};', 'export { app };'));
  });
  const compilerOptions = { paths: { virt8s: ['../../src/index.ts'] }, noUnusedLocals: false };
  const tsconfig = { extends: '../../tsconfig.dev.json', compilerOptions, include: ['*.ts'], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  for (const [, i, text] of typeErrors(folder).matchAll(/^mistake-(\d+)\.ts\(.*?\): error TS\d+: (.*)$/gm)) {
    if (!said.has(Number(i))) said.set(Number(i), text!);
  }
});

/** Returns the first message about a program, and the check that reports it. */
function firstReport(i: number): { tier: Mistake['tier'] | 'none'; text: string } {
  if (said.has(i)) return { tier: 'compiler', text: said.get(i)! };
  let app: cdk8s.App;
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- runs the program in this process
    app = (require(fileOf(i)) as { app: cdk8s.App }).app;
  } catch (error) {
    findings.push(...(findingsOf(error) ?? []));
    return { tier: 'construction', text: (error as Error).message };
  }
  try {
    app.synthYaml();
  } catch (error) {
    findings.push(...reportsOf(app.node.findAll()).flatMap(({ finding }) => finding ?? []));
    return { tier: 'synth', text: (error as Error).message };
  }
  return { tier: 'none', text: '' };
}

test.each(mistakes.map((mistake, i) => [`${mistake.group}: ${mistake.title}`, mistake, i] as const))(
  '%s',
  (_, { tier, says }, i) => {
    const reported = firstReport(i);
    expect(reported.tier).toBe(tier);
    expect(reported.text).toContain(says);
  },
);

test('the catalogue has at least 150 different mistakes, of all three tiers', () => {
  expect(new Set(mistakes.map(({ tier }) => tier)).size).toBe(3);
  expect(new Set(mistakes.map(({ title }) => title)).size).toBe(mistakes.length);
  expect(mistakes.length).toBeGreaterThanOrEqual(150);
});

test('every finding of a rule contains a remedy', () => {
  const ruled = mistakes.filter(({ tier }) => tier !== 'compiler');
  expect(ruled.filter(({ says }) => !/\n {2}\S.* \[[a-z0-9-]+\]$/.test(says)).map(({ title }) => title)).toEqual([]);
});

test('no message about a construct names a field that only the manifest has', () => {
  expect(findings.length).toBeGreaterThan(100);
  // the property itself may be in the words of Kubernetes, as an affinity is; in instanceSpec and JSON patches, all are
  const ofManifest = ['disk-has-volume', 'schema-unknown-field'];
  const named = findings
    .filter(({ rule }) => !ofManifest.includes(rule))
    .flatMap(({ cause, remedy, property = '' }) => {
      const words = `${cause}\n${remedy}`.replaceAll(property, '');
      return manifestWords(words).map((word) => `${word}: ${cause}; ${remedy}`);
    });
  expect(named).toEqual([]);
});

test('docs/mistakes.md contains the table of the catalogue', () => {
  const file = join(checkout, 'docs/mistakes.md');
  const table = tableOfMistakes(mistakes);
  const page = readFileSync(file, 'utf8');
  const [before, rest = ''] = page.split('<!-- table -->\n');
  const after = rest.slice(rest.indexOf('<!-- /table -->'));
  const wanted = `${before}<!-- table -->\n${table}${after}`;
  expectGolden(file, wanted);
});
