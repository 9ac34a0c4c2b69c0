import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { indexArchive, openMember, type Member } from './archive';
import { hexOf } from './digest';

/** Limit for manifests and configs, which have some KiB; registries reject larger ones as well. */
export const MAX_JSON_BYTES = 4 << 20;

/** An OCI image layout, in a folder or an archive. */
export interface Layout {
  readonly path: string;
  /** Size of a blob in bytes. @throws Error if the layout lacks it */
  size(digest: string): Promise<number>;
  open(digest: string): Readable;
  /** Text of `index.json`. */
  index(): Promise<string>;
}

export async function archiveLayout(path: string): Promise<Layout> {
  const members = await indexArchive(path);
  const blob = (digest: string): Member => {
    const member = members.get(`blobs/sha256/${hexOf(digest)}`);
    if (!member) throw new Error(`it is cut off: blob ${digest} is missing; build or copy the archive again`);
    return member;
  };
  return {
    path,
    size: async (digest) => blob(digest).size,
    open: (digest) => openMember(path, blob(digest)),
    index: () => {
      const top = members.get('index.json');
      if (!top) throw new Error(`${path}: has no index.json; provide an OCI archive`);
      return textOf(openMember(path, top), top.size, 'index.json');
    },
  };
}

/** Layout of a folder that only this program and skopeo write. */
export function folderLayout(path: string): Layout {
  const blob = (digest: string): string => join(path, 'blobs', 'sha256', hexOf(digest));
  const top = join(path, 'index.json');
  return {
    path,
    size: async (digest) => (await stat(blob(digest))).size,
    open: (digest) => createReadStream(blob(digest), { highWaterMark: 1 << 20 }),
    index: async () => textOf(createReadStream(top), (await stat(top)).size, 'index.json'),
  };
}

/** Parses a blob of JSON and verifies its digest. */
export async function jsonBlob<T>(layout: Layout, digest: string): Promise<T> {
  const size = await layout.size(digest);
  const content = await textOf(layout.open(digest), size, digest);
  const got = createHash('sha256').update(content).digest('hex');
  if (hexOf(digest) !== got) {
    throw new Error(`blob ${digest} is damaged (sha256:${got}); build or pull the image again`);
  }
  return JSON.parse(content) as T;
}

async function textOf(stream: Readable, size: number, name: string): Promise<string> {
  if (size > MAX_JSON_BYTES) {
    stream.destroy();
    throw new Error(`${name} has ${size} bytes (allowed: ${MAX_JSON_BYTES})`);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
