import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isQualifiedName } from '../../../src/api/names';
import { keys } from '../../../src/api/keys';

const src = join(__dirname, '../../../src');
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.includes('generated') && file !== join('api', 'keys.ts'))
  .map((file) => ({ file, text: readFileSync(join(src, file), 'utf8') }));

/** A quoted text that begins with a prefix of ours; `kubevirt.io/v1` is a version. */
const KEY = /['"`](?:[a-z0-9-]+\.)*(?:kubevirt|virt8s)\.io\/(?!v\d)[\w$]/;

test('sources take keys from the registry', () => {
  const found = sources.flatMap(({ file, text }) =>
    text
      .split('\n')
      .filter((line) => !/^\s*(\*|\/\*|\/\/)/.test(line) && KEY.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

test('a key that is spelt in a source is found', () => {
  expect("labels['kubevirt.io/created-by']").toMatch(KEY);
  expect('`cpu-model.node.kubevirt.io/${model}`').toMatch(/node\.kubevirt\.io/);
  expect("apiVersion: 'kubevirt.io/v1'").not.toMatch(KEY);
});

const all = Object.entries(keys);

/** Generates the program of snapshot schedules, with the keys in it. */
const generator = readFileSync(join(src, '../scripts/generate-snapshot-job.ts'), 'utf8');

test.each(all)('%s is used', (name) =>
  expect(
    [...sources.map(({ text }) => text), generator].some((text) => new RegExp(`keys\\.${name}\\b`).test(text)),
  ).toBe(true),
);

test.each(all.filter(([name]) => !/(Prefix|Infix)$/.test(name)))('%s is a key that Kubernetes accepts', (_, key) =>
  expect(isQualifiedName(key)).toBe(true),
);

test('no key is listed twice', () => expect(new Set(Object.values(keys)).size).toBe(all.length));
