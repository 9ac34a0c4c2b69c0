import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { header, padding, record } from '../../../../src/local/images/pax';

/** One member of a layer. A string is a file's content. */
export interface Entry {
  path: string;
  type?: 'file' | 'dir' | 'link' | 'symlink' | 'char' | 'fifo';
  content?: string | Buffer;
  target?: string;
  mode?: number;
  uid?: number;
  gid?: number;
  xattrs?: Record<string, string>;
}

const TYPES = { file: '0', link: '1', symlink: '2', char: '3', dir: '5', fifo: '6' };

export function tarOf(entries: readonly Entry[]): Buffer {
  const blocks: Buffer[] = [];
  for (const entry of entries) {
    const type = entry.type ?? 'file';
    const body = Buffer.from(entry.content ?? '');
    const owner = {
      mode: entry.mode ?? (type === 'dir' ? 0o755 : 0o644),
      uid: entry.uid ?? 0,
      gid: entry.gid ?? 0,
      mtimeMs: 1e12,
    };
    const records = Object.entries(entry.xattrs ?? {}).map(([key, value]) => record(`SCHILY.xattr.${key}`, value));
    if (Buffer.byteLength(entry.path) > 100) records.push(record('path', entry.path));
    if (records.length) {
      const pax = Buffer.from(records.join(''));
      blocks.push(header('pax', 'x', pax.length, owner), pax, Buffer.alloc(padding(pax.length)));
    }
    blocks.push(header(entry.path, TYPES[type], body.length, owner, entry.target), body);
    blocks.push(Buffer.alloc(padding(body.length)));
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export interface ImageSpec {
  ref: string;
  layers: Entry[][];
  config?: Record<string, unknown>;
  /** Digests of the layers in the config; default: the real ones. */
  diffIds?: string[];
}

const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');

/** Writes an OCI archive and its line in `index.json`, as the image build of the project does. */
export function writeImage(cacheDir: string, { ref, layers, config = {}, diffIds }: ImageSpec): string {
  mkdirSync(cacheDir, { recursive: true });
  const blobs = new Map<string, Buffer>();
  const put = (data: Buffer, mediaType: string) => {
    const digest = sha256(data);
    blobs.set(digest, data);
    return { mediaType, digest: `sha256:${digest}`, size: data.length };
  };
  const json = (value: unknown, kind: string) =>
    put(Buffer.from(JSON.stringify(value)), `application/vnd.oci.image.${kind}.v1+json`);
  const tars = layers.map(tarOf);
  const manifest = json(
    {
      schemaVersion: 2,
      config: json(
        {
          architecture: process.arch === 'x64' ? 'amd64' : process.arch,
          os: 'linux',
          config,
          rootfs: { type: 'layers', diff_ids: diffIds ?? tars.map((tar) => `sha256:${sha256(tar)}`) },
        },
        'config',
      ),
      layers: tars.map((tar) => put(gzipSync(tar), 'application/vnd.oci.image.layer.v1.tar+gzip')),
    },
    'manifest',
  );
  const archive = `${sha256(ref).slice(0, 12)}.tar`;
  const files: Entry[] = [
    { path: 'oci-layout', content: '{"imageLayoutVersion":"1.0.0"}' },
    { path: 'index.json', content: JSON.stringify({ schemaVersion: 2, manifests: [manifest] }) },
    ...[...blobs].map(([digest, content]) => ({ path: `blobs/sha256/${digest}`, content })),
  ];
  writeFileSync(join(cacheDir, archive), tarOf(files));
  const indexFile = join(cacheDir, 'index.json');
  let index = {};
  try {
    index = JSON.parse(readFileSync(indexFile, 'utf8')) as object;
  } catch {
    // the first image of this cache
  }
  writeFileSync(indexFile, JSON.stringify({ ...index, [ref]: { archive, digest: manifest.digest } }));
  return manifest.digest;
}

const APPLETS =
  'sh ls cat sleep id grep echo stty tty nc ip true false mount umount mkdir touch stat df wget nslookup httpd ps env ' +
  'head tail dd kill hostname readlink mountpoint seq od ping date wc sync rm ln test printf awk cut tr trap';

/** A small image with a shell: Debian's static busybox. */
export const busybox = (ref = 'localhost/virt8s-test/busybox:1'): ImageSpec => ({
  ref,
  layers: [
    [
      ...['bin', 'etc', 'tmp', 'root', 'proc', 'sys', 'dev', 'var', 'run', 'home'].map((path): Entry => ({
        path: `${path}/`,
        type: 'dir',
        mode: path === 'tmp' ? 0o1777 : 0o755,
      })),
      { path: 'bin/busybox', content: readFileSync('/bin/busybox'), mode: 0o755 },
      ...APPLETS.split(' ').map((name): Entry => ({ path: `bin/${name}`, type: 'symlink', target: 'busybox' })),
      {
        path: 'etc/passwd',
        content: 'root:x:0:0:root:/root:/bin/sh\nqemu:x:107:107:qemu:/home/qemu:/bin/sh\n',
      },
      { path: 'etc/group', content: 'root:x:0:\nqemu:x:107:\nkvm:x:108:qemu\n' },
    ],
  ],
  config: { Env: ['PATH=/bin', 'FROM_IMAGE=yes'], Cmd: ['/bin/sh'] },
});
