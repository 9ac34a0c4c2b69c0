import * as pulumi from '@pulumi/pulumi';
import { NoGuess, search } from '../../../src/pulumi/guesses';

const [one, two] = [pulumi.output('x'), pulumi.output('y')];
const refuse = (...mistakes: string[]): never => {
  throw new Error(mistakes.map((it) => `it: ${it}`).join('\n'));
};

test.each<[string, (value: unknown) => boolean]>([
  ['a label', (it) => /^[a-z]([a-z0-9-]{0,13}[a-z0-9])?$/.test(String(it))],
  ['a number', (it) => typeof it === 'number'],
  ['a switch', (it) => typeof it === 'boolean'],
  ['a path', (it) => /^\/[^/]+$/.test(String(it))],
  ['a quantity', (it) => /^\d+Gi$/.test(String(it))],
  ['a public key', (it) => /^ssh-ed25519 [A-Za-z0-9+/=]{68} /.test(String(it))],
  ['a URL', (it) => String(it).startsWith('https://')],
  ['a MAC address', (it) => /^(\w\w:){5}\w\w$/.test(String(it))],
  ['a network', (it) => /^[\d.]+\/\d+$/.test(String(it))],
  ['a list', (it) => Array.isArray(it)],
  ['an object', (it) => String(it) === '[object Object]'],
])('%s is guessed, in two ways', (_, fits) => {
  const output = pulumi.output('x');
  const guesses = (['a', 'b'] as const).map((variant) =>
    search([output], variant, (guess) => (fits(guess(output)) ? guess(output) : refuse('value: no [value]'))),
  );
  expect(guesses[0]).not.toEqual(guesses[1]);
});

test('where only one value is right, there is no second guess', () => {
  const output = pulumi.output(false);
  const attempt = (variant: 'a' | 'b'): unknown =>
    search([output], variant, (guess) => (guess(output) === false ? false : refuse('value: no [value]')));
  expect(attempt('a')).toBe(false);
  expect(() => attempt('b')).toThrow(NoGuess);
});

test('a value is guessed from those that an error names', () => {
  const found = search([one], 'a', (guess) =>
    guess(one) === 'green' ? 'green' : refuse('color: unknown (allowed: "red", "green") [color]'),
  );
  expect(found).toBe('green');
});

test('several values that are wrong at once are found', () => {
  const found = search([one, two], 'a', (guess) => {
    const wrong = [
      ...(typeof guess(one) === 'number' ? [] : ['count: must be a number [type]']),
      ...(String(guess(two)).startsWith('/') ? [] : ['path: must be absolute [path]']),
    ];
    return wrong.length > 0 ? refuse(...wrong) : [guess(one), guess(two)];
  });
  expect(found).toEqual([1, expect.stringMatching(/^\//)]);
});

test('what is wrong whatever the value is, is told, without guesses', () => {
  const attempt = (): unknown =>
    search([one], 'a', (guess) => refuse(`name: not ${String(guess(one))} [name]`, 'size: too small [size]'));
  expect(attempt).toThrow(NoGuess);
  expect(attempt).toThrow('it: size: too small [size]');
  expect(attempt).not.toThrow(/name/);
});

test('without variables the error itself is thrown', () => {
  const error = new Error('no');
  const attempt = (): unknown =>
    search([], 'a', () => {
      throw error;
    });
  expect(attempt).toThrow(error);
});
