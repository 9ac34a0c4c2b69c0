import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { kubernetesAccepts, needsCluster, rulesOf } from '../../../../src/api/findings';

const source = join(__dirname, '../../../../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/generated\/|^api\/findings\/rules/.test(file))
  .map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }));

/** `'port-range'`, or a template that makes it: `${field}-name`. */
function uses(text: string, id: string): boolean {
  if (text.includes(`'${id}'`)) return true;
  return [...text.matchAll(/`([\w-]*)\${\w+\}([\w-]*)`/g)].some(
    ([, head, tail]) => head + tail !== '' && id.startsWith(head) && id.endsWith(tail),
  );
}

const stages = ['value', 'object', 'between objects'] as const;
const ids = stages.flatMap(rulesOf);

test('every registered rule is used', () => {
  expect(ids.filter((id) => !files.some(({ text }) => uses(text, id)))).toEqual([]);
});

test('no rule belongs to two stages', () => {
  expect(ids).toHaveLength(new Set(ids).size);
});

test.each(stages)('the rules of the stage %s are in alphabetical order', (stage) => {
  expect(rulesOf(stage)).toEqual(rulesOf(stage).toSorted());
});

/** Files whose rules see the other objects, and constructs that compare themselves with others when they are made. */
const seesOthers = (file: string): boolean =>
  /^(api\/lint|constructs)\//.test(file) &&
  !/^api\/lint\/(attachments|kubernetes|names|template-rules)\.ts$/.test(file);

test('a rule between objects is only in code that sees the others', () => {
  const inOthers = files.filter(({ file }) => !seesOthers(file));
  const misplaced = rulesOf('between objects').flatMap((id) =>
    inOthers.filter(({ text }) => text.includes(`'${id}'`)).map(({ file }) => `${id} in ${relative('', file)}`),
  );
  expect(misplaced).toEqual([]);
});

test('only rules that look for another object need a cluster', () => {
  expect(ids.filter(needsCluster)).toEqual(['clone-source', 'migration-instance']);
});

test('Kubernetes accepts objects with these mistakes, and rejects those with others', () => {
  expect(ids.filter(kubernetesAccepts)).toEqual([
    'autoscaler-metric',
    'port-name',
    'sysprep-xml',
    'ingress-path-unique',
    'sriov-resource',
  ]);
});
