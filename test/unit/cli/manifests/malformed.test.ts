import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterConfig, statementOf } from '../../../../src/api';
import { readManifest } from '../../../../src/cli/manifests/read';
import { check, type LocatedFinding } from '../../../../src/cli/validate/check';
import { good, malformed } from './malformed';

const folder = mkdtempSync(join(tmpdir(), 'virt8s-malformed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const context = { config: clusterConfig(), by: { trusted: false }, find: () => undefined, list: () => [] };

/** Reads and checks a file: why it cannot be read, or the findings in its documents. */
async function checked(text: string | Buffer): Promise<{ reason: string; findings: LocatedFinding[]; lines: number }> {
  const file = join(folder, 'vm.yaml');
  writeFileSync(file, text);
  const { documents, unreadable = '' } = await readManifest(file);
  const findings = documents.flatMap((document) => check(document, context).findings);
  return { reason: unreadable, findings, lines: text.toString().split('\n').length };
}

test('there are 200 malformed files', () => {
  expect(malformed.length).toBeGreaterThanOrEqual(200);
  expect(new Set(malformed.map(([name]) => name)).size).toBe(malformed.length);
});

test('the machine that they are derived from has no mistake', async () => {
  expect(await checked(good)).toMatchObject({ reason: '', findings: [] });
});

test.each(malformed)('%s: reports the mistake, its place and the remedy', async (_, text, expected) => {
  const { reason, findings, lines } = await checked(text);
  const texts = reason ? [reason] : findings.map(({ cause, remedy }) => `${cause}; ${remedy}`);
  expect(texts.join('\n')).toMatch(expected);
  for (const finding of findings) {
    const { at, remedy } = finding;
    const message = statementOf(finding);
    expect(at.line).toBeGreaterThanOrEqual(1);
    expect(at.line).toBeLessThanOrEqual(lines);
    expect(at.column).toBeGreaterThanOrEqual(1);
    expect(message).not.toMatch(/undefined|\[object|Maximum call stack|Cannot read/);
    expect(message.length + remedy.length).toBeLessThan(1000);
  }
});

test('a broken document does not hide the others', async () => {
  const file = join(folder, 'several.yaml');
  writeFileSync(file, `${good}---\nkind: [\n---\n${good.replace(/web/g, 'db')}`);
  const { documents } = await readManifest(file);
  expect(documents.map((document) => check(document, context).state)).toEqual(['valid', 'broken', 'valid']);
});
