/**
 * What manifests and domains become, reviewed: fixtures/NAME.yaml or .xml -> fixtures/NAME.ts. The programs are part of
 * the type check and of prettier's check like all code here.
 * Update with: UPDATE_GOLDENS=1 npm test -- test/unit/cli/import
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'prettier';
import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';
import { format } from 'prettier/standalone';
import { importDomain } from '../../../../src/cli/import/libvirt/domain';
import { type Program, programOf } from '../../../../src/cli/import/program';
import { expectGolden, readGolden } from '../../../support/golden';
import { libraries, objectsOf, synthesized } from './imported';

const folder = join(__dirname, 'fixtures');
const inputs = readdirSync(folder).filter((name) => /\.(yaml|xml)$/.test(name));
const golden = (name: string): string => join(folder, name.replace(/\.\w+$/, '.ts'));

function imported(name: string): Program & { given: readonly unknown[] } {
  const text = readFileSync(join(folder, name), 'utf8');
  if (name.endsWith('.yaml')) {
    const objects = objectsOf(text);
    const command = `virt8s import ${name} -o ${name.replace('.yaml', '.ts')}`;
    return { ...programOf(libraries, [{ file: name, objects }], { command }), given: objects };
  }
  const { objects, remarks, left } = importDomain(text);
  const comments = new Map([[objects.length - 1, [...remarks, ...left.map((line) => `no counterpart: ${line}`)]]]);
  const command = `virt8s import libvirt ${name}`;
  return { ...programOf(libraries, [{ file: name, objects, comments }], { command }), given: objects };
}

test.each(inputs)('%s becomes the reviewed program', (name) => {
  const { text } = imported(name);
  expectGolden(golden(name), text);
});

test.each(inputs)('%s: the reviewed program makes the same objects', (name) => {
  const { given } = imported(name);
  expect(synthesized(readGolden(golden(name)))).toEqual(expect.arrayContaining([...given]));
  expect(synthesized(readGolden(golden(name)))).toHaveLength(given.length);
});

test.each(inputs)('%s: the program is laid out as prettier would', async (name) => {
  const plugins: Plugin[] = [typescript, estree as Plugin];
  const options = { parser: 'typescript', plugins, singleQuote: true, printWidth: 120, trailingComma: 'all' } as const;
  const { text } = imported(name);
  expect(text).toBe(await format(text, options));
});
