import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(__dirname, '../../../../src');
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const read = (file: string): string => readFileSync(join(SRC, file), 'utf8');

/** Names between the braces of imports or exports whose source fits. */
const namesIn = (text: string, from: RegExp): string[] =>
  [...text.matchAll(/(?:import|export|const) (?:type )?\{([^{}]*)\} (?:from|= await import\()\s*'([^']+)'/g)]
    .filter(([, , source]) => from.test(source))
    .flatMap(([, names]) => names.split(','))
    .map((name) => name.replace(/\btype\b| as .*/g, '').trim())
    .filter((name) => name !== '');

test('the room exports only what other rooms import', () => {
  const exported = namesIn(read('runtime/kube/index.ts'), /^\.\//);
  const outside = sources.filter((file) => !file.startsWith('runtime/kube/'));
  const used = new Set(outside.flatMap((file) => namesIn(read(file), /(^|\/)kube$/)));
  expect(exported.length).toBeGreaterThan(20);
  expect(exported.filter((name) => !used.has(name))).toEqual([]);
});
