import { gzipSync } from 'node:zlib';
import { Header, type HeaderData } from 'tar';
import {
  CAPACITY,
  digestOf,
  expectClear,
  failureOf,
  HostileServer,
  MIB,
  sendForever,
  type Answer,
} from './hostile-server';

const OCI = 'application/vnd.oci.image';

/** One entry of a layer as an attacker writes it: nothing is checked. */
function entry(data: HeaderData, content: Buffer | string = ''): Buffer {
  const header = Buffer.alloc(512);
  new Header({ mode: 0o644, size: content.length, type: 'File', ...data }).encode(header);
  return Buffer.concat([header, Buffer.from(content)], 512 + Math.ceil(content.length / 512) * 512);
}
const END = Buffer.alloc(1024);
const DISK = Buffer.alloc(MIB, 'disk');
const LAYER = gzipSync(Buffer.concat([entry({ path: 'disk/disk.raw' }, DISK), END]));

describe('registries that lie', () => {
  let server: HostileServer;
  beforeAll(async () => {
    server = await HostileServer.start();
  });
  afterAll(() => server?.stop());
  beforeEach(() => server.reset());

  const send =
    (body: Buffer | string): Answer =>
    (_, response) =>
      void response.writeHead(200).end(body);
  const put = (path: string, answer: Answer): void => void server.answers.set(`/v2/disks/${path}`, answer);
  const layersOf = (...layers: object[]): string =>
    JSON.stringify({ schemaVersion: 2, mediaType: `${OCI}.manifest.v1+json`, layers });
  const indexOf = (...manifests: unknown[]): string =>
    JSON.stringify({ schemaVersion: 2, mediaType: `${OCI}.image.index.v1+json`, manifests });
  const item = (data: Buffer | string, more: object = {}) => ({ digest: digestOf(data), size: data.length, ...more });
  /** Serves an image with one layer, which is sent if it is wanted by its digest. */
  const image = (layer: Buffer): void => {
    put('manifests/1', send(layersOf(item(layer))));
    put(`blobs/${digestOf(layer)}`, send(layer));
  };
  const manifest =
    (body: Buffer | string): (() => void) =>
    () =>
      put('manifests/1', send(body));

  test.each<[string, () => void, string, RegExp]>([
    ['has a manifest of 5 MiB', manifest(Buffer.alloc(5 * MIB, ' ')), 'SourceRejected', /more than 4194304 bytes/],
    [
      'has a manifest without an end',
      () => put('manifests/1', (_, response) => sendForever(response.writeHead(200))),
      'SourceRejected',
      /more than 4194304 bytes/,
    ],
    ['has a manifest that is not JSON', manifest('<html>'), 'SourceRejected', /not an object of JSON/],
    ['has a manifest that is null', manifest('null'), 'SourceRejected', /not an object of JSON/],
    ['has a manifest that is a list', manifest('[{"layers":[]}]'), 'SourceRejected', /not an object of JSON/],
    [
      'has a manifest that is nested 100,000 times',
      manifest('['.repeat(100_000)),
      'SourceRejected',
      /not an object of JSON/,
    ],
    ['has a manifest without layers', manifest('{"layers":[]}'), 'SourceRejected', /no valid layers/],
    ['has layers that are text', manifest('{"layers":"all"}'), 'SourceRejected', /no valid layers/],
    ['has layers that are null', manifest('{"layers":[null]}'), 'SourceRejected', /no valid layers/],
    [
      'has 10,000 layers',
      () => put('manifests/1', send(layersOf(...Array.from({ length: 10_000 }, () => item(LAYER))))),
      'SourceRejected',
      /no valid layers/,
    ],
    [
      'has a layer of a negative size',
      () => put('manifests/1', send(layersOf({ ...item(LAYER), size: -1 }))),
      'SourceRejected',
      /no valid layers/,
    ],
    [
      'has a layer whose digest is a path',
      () => put('manifests/1', send(layersOf({ digest: 'sha256:../../../etc/passwd', size: 1 }))),
      'SourceRejected',
      /no valid layers/,
    ],
    [
      'has an index whose images are not a list',
      manifest('{"manifests":{"find":1}}'),
      'SourceRejected',
      /no valid images/,
    ],
    ['has an index whose images are numbers', manifest(indexOf(1, 2)), 'SourceRejected', /no valid images/],
    [
      'has an index whose digest is a path',
      manifest(indexOf({ digest: '../../../../etc/passwd', size: 1 })),
      'SourceRejected',
      /no valid images/,
    ],
    [
      'has an index of 10,000 images',
      manifest(indexOf(...Array.from({ length: 10_000 }, () => item(LAYER)))),
      'SourceRejected',
      /no valid images/,
    ],
    ['has an empty index', manifest(indexOf()), 'SourceRejected', /no platform/],
    [
      // archives have one index more than registries
      'has an index in the index of an index',
      () => {
        const last = indexOf(item('x'));
        const inner = indexOf(item(last));
        put('manifests/1', send(indexOf(item(inner))));
        for (const index of [inner, last]) put(`manifests/${digestOf(index)}`, send(index));
      },
      'SourceRejected',
      /no valid layers/,
    ],
    [
      'sends another image than that of its index',
      () => {
        put('manifests/1', send(indexOf(item('wanted'))));
        put(`manifests/${digestOf('wanted')}`, send(layersOf(item(LAYER))));
      },
      'ChecksumMismatch',
      /has the digest/,
    ],
    ['has an image that does not exist', manifest(indexOf(item('missing'))), 'SourceRejected', /404/],
    ['has a layer that does not exist', manifest(layersOf(item(LAYER))), 'SourceRejected', /404/],
    [
      'sends another layer',
      () => {
        put('manifests/1', send(layersOf(item('wanted'))));
        put(`blobs/${digestOf('wanted')}`, send(LAYER));
      },
      'ChecksumMismatch',
      /has the digest/,
    ],
    [
      'sends a layer without an end',
      () => {
        put('manifests/1', send(layersOf(item('wanted'))));
        put(`blobs/${digestOf('wanted')}`, (_, response) => {
          response.writeHead(200).write(entry({ path: 'disk/disk.raw', size: 8 * 2 ** 30 }));
          sendForever(response);
        });
      },
      'ImageTooLarge',
      /larger than/,
    ],
    [
      'redirects a layer to metadata',
      () => {
        put('manifests/1', send(layersOf(item('wanted'))));
        put(
          `blobs/${digestOf('wanted')}`,
          (_, response) => void response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
        );
      },
      'SourceRejected',
      /link-local/,
    ],
    [
      'has a layer without a disk',
      () => image(gzipSync(Buffer.concat([entry({ path: 'etc/passwd' }, 'x'), END]))),
      'ImageInvalid',
      /no file in \/disk/,
    ],
    [
      'has a disk that is a link',
      () => image(Buffer.concat([entry({ path: 'disk/a', type: 'SymbolicLink', linkpath: '/etc/passwd' }), END])),
      'ImageInvalid',
      /not a regular file/,
    ],
    [
      'has a disk that is a hard link',
      () => image(Buffer.concat([entry({ path: 'disk/a', type: 'Link', linkpath: '../etc/passwd' }), END])),
      'ImageInvalid',
      /not a regular file/,
    ],
    [
      'has a disk that is a device',
      () => image(Buffer.concat([entry({ path: 'disk/a', type: 'BlockDevice', devmaj: 8, devmin: 0 }), END])),
      'ImageInvalid',
      /not a regular file/,
    ],
    [
      'has a disk in a folder above',
      () => image(Buffer.concat([entry({ path: '../disk/a' }, 'x'), END])),
      'ImageInvalid',
      /no file in \/disk/,
    ],
    [
      'has a disk that ends before its size',
      () => image(entry({ path: 'disk/a', size: 4 * MIB }, 'x')),
      'ImageInvalid',
      /damaged/,
    ],
    [
      'has a disk that is larger than the claim',
      () => image(gzipSync(Buffer.concat([entry({ path: 'disk/a' }, Buffer.alloc(CAPACITY + MIB)), END]))),
      'ImageTooLarge',
      /larger than/,
    ],
    ['has a layer that is not an archive', () => image(Buffer.alloc(MIB, 'x')), 'ImageInvalid', /damaged/],
    ['has a layer with a damaged end', () => image(LAYER.subarray(0, -4)), 'ImageInvalid', /damaged/],
  ])('%s', async (_, prepare, problem, message) => {
    prepare();
    expectClear(await failureOf({ kind: 'registry', url: `docker://${server.host}/disks:1` }), problem, message);
  });

  test.each<[string, (realm: string) => void, string, RegExp]>([
    [
      'is a token server that sends no JSON',
      () => server.answers.set('/token', send('token')),
      'SourceRejected',
      /not an object of JSON/,
    ],
    [
      'is a token server that sends no token',
      () => server.answers.set('/token', send('{"token":1}')),
      'SourceRejected',
      /sent no token/,
    ],
    [
      'is a token server that sends a header',
      () => server.answers.set('/token', send('{"token":"a\\r\\nx: y"}')),
      'SourceRejected',
      /sent no token/,
    ],
    [
      'is a token server without an end',
      () => server.answers.set('/token', (_, response) => sendForever(response.writeHead(200))),
      'SourceRejected',
      /more than 4194304 bytes/,
    ],
    [
      'is a token server whose token does not help',
      () => server.answers.set('/token', send('{"token":"x"}')),
      'SourceRejected',
      /401/,
    ],
  ])('%s', async (_, prepare, problem, message) => {
    const realm = `http://${server.host}/token`;
    put(
      'manifests/1',
      (_request, response) => void response.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}"` }).end(),
    );
    prepare(realm);
    expectClear(await failureOf({ kind: 'registry', url: `docker://${server.host}/disks:1` }), problem, message);
  });

  test.each(['http://169.254.169.254/token', 'http://[fe80::1]/token'])('names the token server %s', async (realm) => {
    put(
      'manifests/1',
      (_, response) => void response.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}"` }).end(),
    );
    expectClear(
      await failureOf({ kind: 'registry', url: `docker://${server.host}/disks:1` }),
      'SourceRejected',
      /link-local/,
    );
  });
});
