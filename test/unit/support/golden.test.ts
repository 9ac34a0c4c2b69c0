import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectGolden } from '../../support/golden';

const folder = mkdtempSync(join(tmpdir(), 'virt8s-golden-'));
const file = join(folder, 'nested', 'golden.txt');
const { env } = process;

afterEach(() => {
  process.env = env;
  rmSync(join(folder, 'nested'), { recursive: true, force: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs with these variables, and without the ones that the caller of jest may have set. */
function withVariables(variables: NodeJS.ProcessEnv): void {
  const { CI: _ci, UPDATE_GOLDENS: _update, ...rest } = env;
  process.env = { ...rest, ...variables };
}

test('a missing golden fails and is not written', () => {
  withVariables({});
  expect(() => expectGolden(file, 'text')).toThrow('is missing; write it with UPDATE_GOLDENS=1');
  expect(existsSync(file)).toBe(false);
});

test('UPDATE_GOLDENS fails in CI and changes nothing', () => {
  withVariables({ UPDATE_GOLDENS: '1' });
  expectGolden(file, 'reviewed');
  withVariables({ UPDATE_GOLDENS: '1', CI: 'true' });
  expect(() => expectGolden(file, 'other')).toThrow('UPDATE_GOLDENS is set in CI');
  expect(readFileSync(file, 'utf8')).toBe('reviewed');
});

test('UPDATE_GOLDENS writes the text, which then passes without it', () => {
  withVariables({ UPDATE_GOLDENS: '1' });
  expectGolden(file, 'reviewed');
  withVariables({ CI: 'true' });
  expectGolden(file, 'reviewed');
  writeFileSync(file, 'changed');
  expect(() => expectGolden(file, 'reviewed')).toThrow('Expected: "changed"');
});
