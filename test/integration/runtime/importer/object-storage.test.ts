import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../package/registry';
import { listens } from '../../../support/web-server';
import { Importer } from './importer';

const MIB = 1 << 20;
/** Keys of the server. It knows keys and not signatures, and also answers requests without a key. */
const KEYS = { 'login/accessKeyId': 'S3RVER', 'login/secretKey': 'S3RVER' };

describe('imports from S3', () => {
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-s3-'));
  const disk = Buffer.alloc(8 * MIB);
  disk.write('begin');
  disk.fill('content', 5 * MIB, 5 * MIB + 100_000);
  const importers: Importer[] = [];
  let server: ChildProcess;
  let url: (object: string) => string;

  const importer = (object: string, files: Record<string, string>): Importer => {
    const made = new Importer({ source: { kind: 's3', url: url(object) }, claimBytes: 8 * MIB }, { files });
    importers.push(made);
    return made;
  };

  beforeAll(async () => {
    const port = await freePort();
    const options = ['--silent', '--address', '127.0.0.1', '--port', `${port}`, '--configure-bucket', 'images'];
    server = spawn(
      'node',
      [require.resolve('s3rver/bin/s3rver.js'), '--directory', join(folder, 'store'), ...options],
      {
        stdio: 'inherit',
      },
    );
    await listens(port);
    url = (object) => `http://127.0.0.1:${port}/images/${object}`;
    const file = (name: string): string => join(folder, name);
    writeFileSync(file('disk.raw'), disk);
    execFileSync('qemu-img', ['convert', '-O', 'qcow2', file('disk.raw'), file('disk.qcow2')]);
    execFileSync('gzip', ['--keep', file('disk.raw')]);
    for (const name of ['disk.raw', 'disk.qcow2', 'disk.raw.gz']) {
      const body = readFileSync(file(name));
      const answer = await fetch(url(`folder/a%20${name}`), { method: 'PUT', body });
      expect(answer.status).toBe(200);
    }
  });
  afterAll(() => {
    importers.forEach((each) => each.remove());
    server?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ['disk.raw', KEYS],
    ['disk.qcow2', KEYS],
    ['disk.raw.gz', KEYS],
    ['disk.qcow2', {}],
  ])('%s with the keys %j', async (name, files) => {
    const made = importer(`folder/a%20${name}`, files);
    expect(await made.run()).toMatchObject({ code: 0, report: { message: 'Import Complete' } });
    expect(readFileSync(made.disk).equals(disk)).toBe(true);
  });

  test.each([
    [
      'an unknown key',
      'folder/a%20disk.raw',
      { ...KEYS, 'login/accessKeyId': 'guess' },
      /HTTP 403/,
      /check the Secret/,
    ],
    ['a missing object', 'folder/none.raw', KEYS, /HTTP 404/, /check the URL/],
  ])('%s is one clear failure', async (_name, object, files, message, remedy) => {
    const { code, report } = await importer(object, files).run();
    expect([code, report.problem]).toEqual([1, 'SourceRejected']);
    expect(report.message).toMatch(message);
    expect(report.remedy).toMatch(remedy);
    expect(JSON.stringify(report)).not.toContain('guess');
  });
});
