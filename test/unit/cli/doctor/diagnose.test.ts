import { diagnose, exitCodeOf } from '../../../../src/cli/doctor/diagnose';
import { error, warning, type Check } from '../../../../src/cli/doctor/finding';
import type { Facts } from '../../../../src/cli/doctor/facts';
import { clusterChecks, engineChecks } from '../../../../src/cli/doctor/checks';
import { NOW } from './healthy';

const nothing: Facts = { now: NOW, clockOffsetMs: 0, namespace: 'kubevirt', absent: new Set() };
const check = (...findings: ReturnType<typeof error>[]): Check => ({
  ...{ name: 'c', reads: ['nodes', 'leases'], find: () => findings },
});
const problem = error('Node "a"', 'it burns', 'use water');
const hint = warning('Node "a"', 'it is warm', 'open a window');

test.each([
  ['ok', [], {}, 0],
  ['warning', [hint], {}, 0],
  ['error', [hint, problem], {}, 1],
  ['incomplete', [], { nodes: 'requires permission to list nodes' }, 0],
  ['warning', [hint], { nodes: 'requires permission to list nodes' }, 0],
] as const)('the state is %s', (state, findings, obstacles, code) => {
  const results = diagnose([check(...findings)], nothing, obstacles);
  expect(results).toMatchObject([{ name: 'c', state, findings }]);
  expect(exitCodeOf(results)).toBe(code);
});

test('an obstacle is listed once, by each check that it concerns', () => {
  const obstacles = { nodes: 'no permission', leases: 'no permission', secrets: 'another' };
  expect(diagnose([check()], nothing, obstacles)[0]!.unread).toEqual(['no permission']);
});

test('without any facts, no check reports anything', () => {
  for (const each of [...clusterChecks, ...engineChecks])
    expect({ [each.name]: each.find(nothing) }).toEqual({ [each.name]: [] });
});

test('each check has a name of its own', () => {
  const names = [...clusterChecks, ...engineChecks].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z-]+$/);
});
