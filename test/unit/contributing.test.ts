/** Checks that everything that CONTRIBUTING.md names exists; `test/integration/scripts/contributing.test.ts` carries out its steps. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { type FeatureGate, gateStage } from '../../src/api/feature-gates';
import { type RuleId, rulesOf } from '../../src/api/findings';
import { STAGES } from '../../scripts/test-run/static';
import { LIBVIRT_VERSION } from '../../src/launcher-image/recipe';

const checkout = resolve(__dirname, '../..');
const page = readFileSync(join(checkout, 'CONTRIBUTING.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const quoted = [...page.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);

/** Steps of a section, by its heading. */
const section = (heading: string): string => page.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;

describe('the page', () => {
  const isPath = (text: string): boolean => /^[\w.-]+(\/[\w.-]+)+$/.test(text) && !text.startsWith('localhost/');
  const paths = quoted.flatMap((text) => text.split(/\s+/)).map((word) => word.replace(/^\.\//, ''));
  const named = [...new Set([...paths.filter(isPath), ...paths.filter((path) => /^\w+\.md$/.test(path))])];

  test('names files and folders that exist', () => {
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((path) => !path.includes('NAME') && !existsSync(join(checkout, path)))).toEqual([]);
  });

  test('names functions and tables that the file before them contains', () => {
    const symbols = [...page.matchAll(/`([\w./-]+)`\s+\(`(\w+)`\)/g)].map(
      ([, file, symbol]) => [file!, symbol!] as const,
    );
    expect(symbols.length).toBeGreaterThan(20);
    const declares = ([file, symbol]: readonly [string, string]): boolean =>
      new RegExp(`(const|function|class|interface|^)\\s*${symbol}\\b`, 'm').test(
        readFileSync(join(checkout, file), 'utf8'),
      );
    expect(symbols.filter((each) => !declares(each))).toEqual([]);
  });

  test('names scripts of package.json and stages of the test command', () => {
    const missing = quoted
      .flatMap((text) => [...text.matchAll(/npm run (\w+)/g)])
      .filter(([, name]) => !scripts[name!]);
    expect(missing).toEqual([]);
    expect(STAGES.filter((stage) => !section('Tests').includes(`\`${stage}\``))).toEqual([]);
  });

  test('has links that lead somewhere', () => {
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target!);
    const anchors = [...page.matchAll(/^## (.+)$/gm)].map(
      ([, title]) => `#${title!.toLowerCase().replaceAll(' ', '-')}`,
    );
    expect(
      links.filter((link) => !(link.startsWith('#') ? anchors.includes(link) : existsSync(join(checkout, link)))),
    ).toEqual([]);
  });
});

test("only the recipe of the image names libvirt's version", () => {
  const version = LIBVIRT_VERSION.split('.').slice(0, 2).join('\\.');
  const files = ts.sys
    .readDirectory(
      checkout,
      ['.ts', '.md', '.sh', '.json'],
      ['**/node_modules', '**/generated'],
      ['src', 'scripts', 'guests', 'docs'],
    )
    .filter((file) => new RegExp(`libvirt\\D{0,20}${version}\\b`, 'i').test(readFileSync(file, 'utf8')));
  expect(files.map((file) => file.slice(checkout.length + 1))).toEqual(['src/launcher-image/recipe.ts']);
});

test('rules and gates that are not in their tables do not compile', () => {
  // @ts-expect-error: no rule has this id
  const rule: RuleId = 'buzzer-gate';
  // @ts-expect-error: no gate has this name
  const gate: FeatureGate = 'Buzzer';
  expect([rulesOf('object').includes(rule), gateStage(gate)]).toEqual([false, undefined]);
});
