import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowed, DEPRECATED } from '../../../scripts/licences';
import { packedManifest } from '../../../scripts/package-manifest';
import { bom, libraries, objections, thirdPartyTexts, type Library } from '../../../scripts/sbom';

const checkout = join(__dirname, '../../..');

describe('what may be part of the package', () => {
  test.each([
    ['MIT', true],
    ['(Apache-2.0 AND BSD-3-Clause)', true],
    ['(MIT OR GPL-3.0-or-later)', true],
    ['GPL-3.0-only', false],
    ['MIT AND LGPL-2.1-only', false],
    ['(AGPL-3.0-only OR SSPL-1.0)', false],
    ['none', false],
    ['SEE LICENSE IN LICENSE', false],
  ])('licence %s: %s', (licence, may) => expect(allowed(licence)).toBe(may));

  const library: Library = { name: 'a', version: '1.0.0', licence: 'MIT', texts: ['text'], holders: ['build/a.cjs'] };

  test.each<[string, Partial<Library>, string[]]>([
    ['an allowed licence with its text', {}, []],
    [
      'another licence',
      { licence: 'GPL-2.0-only' },
      ['a: licence "GPL-2.0-only" is not allowed (scripts/licences.ts)'],
    ],
    ['no text', { texts: [] }, ['a: has no licence text; add it to TEXTS of scripts/licences.ts']],
  ])('%s', (_, part, want) => expect(objections([{ ...library, ...part }])).toEqual(want));

  test('is found by the files that a bundler took in, each package once', () => {
    const found = libraries(
      new Map([
        ['build/one.cjs', ['src/cli/main.ts', 'node_modules/ws/lib/sender.js', 'node_modules/ws/wrapper.mjs']],
        ['build/two.cjs', ['node_modules/ws/wrapper.mjs', 'node_modules/@peculiar/x509/build/index.js']],
      ]),
    );
    expect(found.map(({ name, licence, holders }) => [name, licence, holders])).toEqual([
      ['@peculiar/x509', 'MIT', ['build/two.cjs']],
      ['ws', 'MIT', ['build/one.cjs', 'build/two.cjs']],
    ]);
    expect(thirdPartyTexts(found)).toContain('ws 8');
    const own = { name: 'virt8s', version: '1.0.0', license: 'Apache-2.0' };
    // no clock and no chance: a reader sees by the bytes that nothing changed
    expect(bom(own, [...found])).toEqual(bom(own, found));
    expect(JSON.stringify(bom(own, found))).toContain('"purl":"pkg:npm/%40peculiar/x509@');
  });
});

test('no package that we depend on is deprecated without a reason', () => {
  const { packages } = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { deprecated?: string }>;
  };
  const deprecated = Object.entries(packages).flatMap(([path, { deprecated: why }]) =>
    why === undefined ? [] : [path.replace(/^.*node_modules\//, '')],
  );
  expect(deprecated.filter((name) => !DEPRECATED[name])).toEqual([]);
});

describe('the published manifest', () => {
  const ours = {
    name: 'virt8s',
    scripts: { prepack: 'x' },
    peerDependencies: { cdk8s: '^2' },
    devDependencies: { '@pulumi/pulumi': '^3', '@pulumi/kubernetes': '^4', jest: '^30' },
    jest: {},
  };

  test('has the optional peers and nothing of the checkout', () => {
    expect(packedManifest(ours)).toEqual({
      name: 'virt8s',
      peerDependencies: { cdk8s: '^2', '@pulumi/pulumi': '^3', '@pulumi/kubernetes': '^4' },
      peerDependenciesMeta: { '@pulumi/pulumi': { optional: true }, '@pulumi/kubernetes': { optional: true } },
    });
  });

  test('an optional peer that the checkout does not have is a mistake', () => {
    expect(() => packedManifest({ ...ours, devDependencies: {} })).toThrow('devDependencies have no @pulumi/pulumi');
  });
});
