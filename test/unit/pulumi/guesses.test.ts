import * as pulumi from '@pulumi/pulumi';
import { type CodeFinding, root, type RuleId, ValidationError } from '../../../src/api/findings';
import { NoGuess, search } from '../../../src/pulumi/guesses';

const [one, two] = [pulumi.output('x'), pulumi.output('y')];
const finding = (property: string, cause: string, rule: RuleId, allowed?: string[]): CodeFinding => {
  return { rule, path: root, subject: 'it', property, cause, allowed, remedy: 'correct it' };
};
const refuse = (...findings: CodeFinding[]): never => {
  throw new ValidationError(findings);
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
    search([output], variant, (guess) =>
      fits(guess(output)) ? guess(output) : refuse(finding('value', 'no', 'label')),
    ),
  );
  expect(guesses[0]).not.toEqual(guesses[1]);
});

test('where only one value is right, there is no second guess', () => {
  const output = pulumi.output(false);
  const attempt = (variant: 'a' | 'b'): unknown =>
    search([output], variant, (guess) => (guess(output) === false ? false : refuse(finding('value', 'no', 'label'))));
  expect(attempt('a')).toBe(false);
  expect(() => attempt('b')).toThrow(NoGuess);
});

test('a value is guessed from those that an error names', () => {
  const found = search([one], 'a', (guess) =>
    guess(one) === 'green' ? 'green' : refuse(finding('color', 'unknown', 'vocabulary', ['red', 'green'])),
  );
  expect(found).toBe('green');
});

test('several values that are wrong at once are found', () => {
  const found = search([one, two], 'a', (guess) => {
    const wrong = [
      ...(typeof guess(one) === 'number' ? [] : [finding('count', 'must be a number', 'type')]),
      ...(String(guess(two)).startsWith('/') ? [] : [finding('path', 'must be absolute', 'image-path')]),
    ];
    return wrong.length > 0 ? refuse(...wrong) : [guess(one), guess(two)];
  });
  expect(found).toEqual([1, expect.stringMatching(/^\//)]);
});

test('reports mistakes that do not depend on the value, without guesses', () => {
  const attempt = (): unknown =>
    search([one], 'a', (guess) =>
      refuse(finding('name', `not ${String(guess(one))}`, 'name'), finding('size', 'too small', 'clone-size')),
    );
  expect(attempt).toThrow(NoGuess);
  expect(attempt).toThrow('it: size: too small\n  correct it [clone-size]');
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
