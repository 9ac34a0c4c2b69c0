import { inspect } from 'node:util';
import { type CodeFinding, findingsOf, root, ValidationError } from '../../../../src/api/findings';

const finding: CodeFinding = {
  rule: 'cpu-positive',
  subject: 'web/vm',
  property: 'cpu.cores',
  path: root.at('spec', 'domain', 'cpu', 'cores'),
  value: 0,
  cause: 'must be greater than 0',
  remedy: 'use 1 or more',
};

test('a ValidationError has its name, prints its findings and carries them', () => {
  const error = new ValidationError([finding]);
  expect(error.name).toBe('ValidationError');
  expect(error.stack).toMatch(/^ValidationError: web\/vm: cpu\.cores/);
  expect(error.message).toMatch(/must be greater than 0 \(value: 0\)\n {2}use 1 or more \[cpu-positive\]$/);
  expect(findingsOf(error)).toEqual([finding]);
});

test('several findings about one construct have a headline', () => {
  expect(new ValidationError([finding, finding]).message.split('\n')).toEqual([
    'web/vm: 2 mistakes',
    expect.stringMatching(/^web\/vm: cpu/),
    '  use 1 or more [cpu-positive]',
    expect.stringMatching(/^web\/vm: cpu/),
    '  use 1 or more [cpu-positive]',
  ]);
});

test('the findings of another copy of the library are found', () => {
  let other: typeof import('../../../../src/api/findings') | undefined;
  jest.isolateModules(() => {
    other = jest.requireActual<typeof import('../../../../src/api/findings')>('../../../../src/api/findings');
  });
  const error = new other!.ValidationError([finding]);
  expect(error).not.toBeInstanceOf(ValidationError);
  expect(findingsOf(error)).toEqual([finding]);
});

test('other errors carry no findings', () => {
  for (const each of [new Error('ValidationError'), undefined, null, 'text']) expect(findingsOf(each)).toBeUndefined();
});

test('a log of the error has no more than its message', () => {
  const error = new ValidationError([{ ...finding, value: 'hush', path: root.at('password') }]);
  expect(inspect(error)).not.toContain('hush');
  expect(JSON.stringify(error)).not.toContain('hush');
});
