import { mutantsOf } from '../../../scripts/mutation/mutants';

const changed = (text: string): string[] =>
  mutantsOf(text).map(({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end));

test.each([
  ['a boundary', 'a < b;', ['a <= b;']],
  ['a comparison with a word', "a === 'PUT';", ["a !== 'PUT';", "a === '';"]],
  ['a condition', 'if (a) b();', ['if ((true as boolean)) b();', 'if ((false as boolean)) b();']],
  ['a choice', 'a ? b : c;', ['(true as boolean) ? b : c;', '(false as boolean) ? b : c;']],
  ['a negation', 'f(!a);', ['f(a);']],
  ['a default', 'f(a ?? b);', ['f(a);']],
  ['a boolean', 'f(true);', ['f(false);']],
  ['a limit', 'f(256);', ['f((256 + 1));']],
  ['all of a list', 'a.some(f);', ['a.every(f);']],
  ['a sentence is left alone', "f('write a number');", []],
  ['a type is left alone', "let a: 'x' | 1;", []],
  ['an import is left alone', "import a from './a';", []],
])('%s', (_, text, mutants) => expect(changed(text)).toEqual(mutants));

test('a mutant says where it is and what it changes', () => {
  expect(mutantsOf('f();\nif (a <= b) c();').map(({ description }) => description)).toContain('2: a <= b -> a < b');
});
