import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { MEMBER_BYTES } from '../../../../src/api/export/export-request';
import { createExporter } from '../../../../src/runtime/exporter/server';
import { TestCa } from '../../../support/pki';

const TOKEN = 'correct';
const SIZE = 3 * MEMBER_BYTES + 777;

let folder: string;
let server: Server;
let ca: string;
let disk: Buffer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'virt8s-exporter-'));
  for (const name of ['disk', 'linked', 'pipe', 'files/inner', 'files/lost+found']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  writeFileSync(join(folder, 'secret'), 'secret');
  disk = Buffer.alloc(SIZE);
  disk.write('first sector');
  // the second member is a hole
  createHash('sha512')
    .update('noise')
    .digest()
    .copy(disk, 2 * MEMBER_BYTES + 5);
  disk.write('the end', SIZE - 7);
  writeFileSync(join(folder, 'disk/disk.img'), disk);
  symlinkSync('../secret', join(folder, 'linked/disk.img'));
  execFileSync('mkfifo', [join(folder, 'pipe/disk.img'), join(folder, 'files/pipe')]);
  writeFileSync(join(folder, 'files/a <b>.txt'), 'a');
  writeFileSync(join(folder, 'files/lost+found/x'), 'x');
  writeFileSync(join(folder, `files/inner/${'long'.repeat(40)}`), 'long name');
  symlinkSync('../secret', join(folder, 'files/link'));
  symlinkSync('..', join(folder, 'files/up'));
  const authority = await TestCa.create('authority');
  const pair = await authority.issue([{ CN: ['exporter'] }], ['localhost']);
  ca = authority.pem;
  const volume = (name: string, content: 'disk' | 'files') => ({
    name,
    uid: name,
    path: join(folder, name),
    isDevice: false,
    content,
  });
  server = createExporter({
    request: {
      name: 'copy',
      deadline: '2100-01-01T00:00:00Z',
      volumes: [volume('disk', 'disk'), volume('linked', 'disk'), volume('pipe', 'disk'), volume('files', 'files')],
    },
    tls: pair,
    podUid: 'pod',
    token: () => TOKEN,
    machine: () => ({
      volumes: { root: 'disk' },
      objects: [
        {
          apiVersion: 'kubevirt.io/v1',
          kind: 'VirtualMachine',
          metadata: { name: 'web' },
          spec: { dataVolumeTemplates: [{ metadata: { name: 'root' }, spec: { source: {} } }] },
        } as never,
      ],
      links: { internal: { base: 'https://exporter.default.svc', certificate: 'PEM' }, external: undefined },
    }),
    log: () => undefined,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const all = { 'x-kubevirt-export-token': TOKEN, ...headers };
    const sent = request({ host: 'localhost', port, path, headers: all, method, ca, agent: false }, (response) => {
      const { statusCode: status = 0, headers: got } = response;
      buffer(response).then((body) => resolve({ status, headers: got, body }), reject);
    });
    sent.on('error', reject).end();
  });
}

const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex');

test.each([
  ['no token', '/volumes/disk/disk.img', { 'x-kubevirt-export-token': '' }, 401],
  ['a wrong token', '/volumes/disk/disk.img', { 'x-kubevirt-export-token': 'Correct' }, 401],
  ['a longer token', '/internal/manifests/secret', { 'x-kubevirt-export-token': 'correct1' }, 401],
  [
    'a token in the query',
    '/volumes/disk/disk.img?x-kubevirt-export-token=correct',
    { 'x-kubevirt-export-token': '' },
    200,
  ],
  ['readiness without a token', '/exportready', { 'x-kubevirt-export-token': '' }, 200],
  ['a path that is not exported', '/volumes/other/disk.img', {}, 404],
  ['a path out of the volume', '/volumes/disk/../../secret', {}, 404],
  ['files of a disk', '/volumes/disk/dir/', {}, 404],
  ['a disk that is a link', '/volumes/linked/disk.img', {}, 404],
  ['a disk that is a pipe', '/volumes/pipe/disk.img.gz', {}, 404],
  ['a file through a link', '/volumes/files/dir/link', {}, 404],
  ['a folder through a link', '/volumes/files/dir/up/secret', {}, 404],
  ['an encoded path out of the volume', '/volumes/files/dir/%2e%2e%2fsecret', {}, 404],
  ['a pipe', '/volumes/files/dir/pipe', {}, 404],
  ['external manifests without an Ingress', '/external/manifests/all', {}, 404],
])('answers %s', async (_, path, headers, status) => {
  const answer = await get(path, headers);
  expect(answer.status).toBe(status);
  expect(answer.body.toString('latin1')).not.toContain('secret');
});

test('sends a disk plain, compressed and in part, always with the same bytes', async () => {
  const plain = await get('/volumes/disk/disk.img');
  expect(sha256(plain.body)).toBe(sha256(disk));
  const packed = await get('/volumes/disk/disk.img.gz');
  expect(gunzipSync(packed.body).equals(disk)).toBe(true);
  expect(packed.body.length).toBeLessThan(SIZE / 50);
  expect((await get('/volumes/disk/disk.img.gz')).body.equals(packed.body)).toBe(true);
  expect(packed.headers).toMatchObject({
    'accept-ranges': 'disk',
    'virt8s-disk-bytes': `${SIZE}`,
    etag: plain.headers.etag,
  });
  const part = await get('/volumes/disk/disk.img', { range: 'bytes=5-9' });
  expect(part).toMatchObject({
    status: 206,
    body: disk.subarray(5, 10),
    headers: { 'content-range': `bytes 5-9/${SIZE}` },
  });
  const rest = await get('/volumes/disk/disk.img.gz', {
    range: `disk=${MEMBER_BYTES}-`,
    'if-range': plain.headers.etag!,
  });
  expect(rest.status).toBe(206);
  expect(gunzipSync(rest.body).equals(disk.subarray(MEMBER_BYTES))).toBe(true);
  // a client that knows another version starts again
  expect((await get('/volumes/disk/disk.img', { range: 'bytes=5-9', 'if-range': '"other"' })).status).toBe(200);
  expect((await get('/volumes/disk/disk.img', { range: `bytes=${SIZE}-` })).status).toBe(416);
  expect((await get('/volumes/disk/disk.img.sha256')).body.toString()).toBe(sha256(disk));
  const head = await get('/volumes/disk/disk.img', {}, 'HEAD');
  expect(head).toMatchObject({ status: 200, headers: { 'content-length': `${SIZE}` } });
});

test('reports the digest of a changed disk, not of the one before', async () => {
  const path = join(folder, 'disk/disk.img');
  writeFileSync(path, 'changed');
  truncateSync(path, SIZE);
  const now = Buffer.alloc(SIZE);
  now.write('changed');
  expect((await get('/volumes/disk/disk.img.sha256')).body.toString()).toBe(sha256(now));
  writeFileSync(path, disk);
});

test('lists files and serves them; links, pipes and the names of others do no harm', async () => {
  const listing = (await get('/volumes/files/dir/')).body.toString();
  expect(listing).toContain('<a href="a%20%3Cb%3E.txt">a &lt;b&gt;.txt</a>');
  expect(listing).not.toMatch(/link|pipe/);
  expect((await get('/volumes/files/dir/a%20%3Cb%3E.txt')).body.toString()).toBe('a');
});

test('archives files that tar unpacks, links as links, without pipes', async () => {
  const { body } = await get('/volumes/files/disk.tar.gz');
  const target = join(folder, 'unpacked');
  mkdirSync(target);
  execFileSync('tar', ['-xzf', '-', '-C', target], { input: body });
  const names = execFileSync('find', ['.', '-mindepth', '1', '-printf', '%y %P\n'], { cwd: target, encoding: 'utf8' });
  expect(names.trim().split('\n').sort()).toEqual(
    ['d inner', `f inner/${'long'.repeat(40)}`, 'f a <b>.txt', 'l link', 'l up'].sort(),
  );
  expect(readlinkSync(join(target, 'link'))).toBe('../secret');
});

test('manifests name the URL, the authority and the header of an import', async () => {
  const { items } = JSON.parse((await get('/internal/manifests/all')).body.toString()) as { items: object[] };
  expect(items).toMatchObject([
    { kind: 'ConfigMap', metadata: { name: 'export-ca-cm-copy' }, data: { 'ca.pem': 'PEM' } },
    {
      spec: {
        dataVolumeTemplates: [
          {
            spec: {
              source: {
                http: {
                  url: 'https://exporter.default.svc/volumes/disk/disk.img.gz',
                  certConfigMap: 'export-ca-cm-copy',
                  secretExtraHeaders: ['header-secret-copy'],
                },
              },
            },
          },
        ],
      },
    },
  ]);
  const secret = (await get('/internal/manifests/secret', { accept: 'application/yaml' })).body.toString();
  expect(secret).toContain('"token": "x-kubevirt-export-token:correct"');
});
