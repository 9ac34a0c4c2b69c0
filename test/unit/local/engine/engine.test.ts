import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceCidrOf } from '../../../../src/local/engine/engine';
import { enginePaths } from '../../../../src/local/engine/paths';
import { Authority } from '../../../../src/local/engine/pki';
import {
  isAlive,
  isBare,
  readRecord,
  startTicks,
  writeRecord,
  type EngineRecord,
} from '../../../../src/local/engine/record';

const dir = mkdtempSync(join(tmpdir(), 'virt8s-engine-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('two state directories have different ids, one always the same', () => {
  expect(enginePaths('/var/lib/a').id).toBe(enginePaths('/var/lib/a/').id);
  expect(enginePaths('/var/lib/a').id).not.toBe(enginePaths('/var/lib/b').id);
  expect(enginePaths('/var/lib/a').id).toMatch(/^[0-9a-f]{6}$/);
});

test.each([
  ['10.77.0.1', '10.96.0.0/24'],
  ['10.77.5.1', '10.96.5.0/24'],
  ['10.79.255.1', '10.98.255.0/24'],
])('an engine at %s gives its Services %s', (gateway, cidr) => expect(serviceCidrOf(gateway)).toBe(cidr));

describe('the record of an engine', () => {
  const record = (changes: Partial<EngineRecord> = {}): EngineRecord => ({
    pid: process.pid,
    startTicks: startTicks(process.pid)!,
    version: '1',
    node: 'n',
    startedAt: '2026-01-01T00:00:00Z',
    ready: true,
    ...changes,
  });

  test('names a living process by PID and start time', () => {
    const file = join(dir, 'engine.json');
    writeRecord(file, record());
    expect(isAlive(readRecord(file))).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['a process that ended', { pid: 2 ** 22 + 1 }],
    ['a PID that is another process now', { startTicks: '1' }],
  ])('is not taken for %s', (_, changes) => expect(isAlive(record(changes))).toBe(false));

  test.each<[string, boolean | undefined, EngineRecord | undefined, boolean]>([
    ['has the platform by default', undefined, undefined, false],
    ['is bare on request', true, undefined, true],
    ['stays bare', undefined, record({ bare: true }), true],
    ['that is bare may be requested to be so', true, record({ bare: true }), true],
    ['keeps the platform', undefined, record(), false],
  ])('an engine %s', (_, requested, last, bare) => expect(isBare(requested, last, '/state')).toBe(bare));

  test('an engine with the platform cannot become bare', () => {
    expect(() => isBare(true, record(), '/state')).toThrow(/^the engine in \/state .*remove it with virt8s down/);
  });

  test('that is missing or incomplete is not alive', () => {
    expect(readRecord(join(dir, 'nothing'))).toBeUndefined();
    expect(isAlive(undefined)).toBe(false);
    const file = join(dir, 'incomplete.json');
    for (const text of ['', '{', '{}', `{"pid": ${process.pid}}`, `{"pid": 4194304}`]) {
      writeFileSync(file, text);
      expect(isAlive(readRecord(file))).toBe(false);
    }
  });
});

describe('an authority', () => {
  test('is created once, and its leaves chain to it', async () => {
    const first = await Authority.open(dir, 'test-ca');
    const again = await Authority.open(dir, 'test-ca');
    expect(again.cert).toBe(first.cert);
    const ca = new X509Certificate(first.cert);
    const server = new X509Certificate(
      (await again.issue({ commonName: 'api', hosts: ['localhost', '127.0.0.1', 'fd77::1'] })).cert,
    );
    expect(server.checkIssued(ca)).toBe(true);
    expect(server.verify(ca.publicKey)).toBe(true);
    expect(server.checkIP('fd77::1')).toBeTruthy();
    expect(server.checkHost('localhost')).toBeTruthy();
    expect(statSync(join(dir, 'test-ca.key')).mode & 0o777).toBe(0o600);
  });

  test('issues client certificates with user and groups', async () => {
    const ca = await Authority.open(dir, 'test-ca');
    const { cert } = await ca.issue({ commonName: 'system:node:a', organizations: ['system:nodes'] });
    expect(new X509Certificate(cert).subject).toBe('O=system:nodes\nCN=system:node:a');
  });
});
