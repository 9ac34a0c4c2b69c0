import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsedTokens } from '../../../../../src/runtime/importer/upload/used-tokens';

test('used tokens are bounded, and forgotten when they have expired', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tokens-'));
  try {
    const file = join(folder, 'tokens');
    const tokens = new UsedTokens(file);
    for (let i = 0; i < 10_000; i++) expect(tokens.add(`t${i}`, i)).toBe(true);
    expect(tokens.add('more', 10_000)).toBe(false);
    expect(tokens.add('more', 360_004)).toBe(true);
    expect([tokens.has('t4'), tokens.has('t5'), tokens.has('more')]).toEqual([false, true, true]);
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(10_000 - 5 + 1);
    expect(new UsedTokens(file).has('t5')).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
