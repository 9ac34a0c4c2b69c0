/** The image in an OCI archive: its manifest and config for the platform of this machine. */
import { createHash } from 'node:crypto';
import { indexArchive, openMember } from './archive';
import type { Member } from './archive';
import { hexOf } from './digest';
import type { ImageConfig } from './image';

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly architecture?: string; readonly os?: string };
}
interface Manifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  readonly manifests?: readonly Descriptor[];
}

const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };
/** Limit for manifests and configs, which have some KiB; registries reject larger ones as well. */
const MAX_JSON_BYTES = 4 << 20;

/** Image in an archive. */
export interface ArchivedImage {
  /** Digest of the manifest. */
  readonly digest: string;
  readonly manifest: Manifest;
  readonly config: ImageConfig;
  /** Digest of each layer's content, base first. */
  readonly diffIds: readonly string[];
  /** Returns the member of the archive with this digest. */
  readonly blob: (digest: string) => Member;
}

/** Reads an archive and verifies its manifest and config. */
export async function readArchive(archive: string): Promise<ArchivedImage> {
  const members = await indexArchive(archive);
  const blob = (digest: string): Member => {
    const member = members.get(`blobs/sha256/${hexOf(digest)}`);
    if (!member) throw new Error(`it is cut off: blob ${digest} is missing; build or copy the archive again`);
    return member;
  };
  const json = async <T>(digest: string): Promise<T> => JSON.parse(await textOf(archive, blob(digest), digest)) as T;
  const top = members.get('index.json');
  if (!top) throw new Error(`${archive}: has no index.json; provide an OCI archive`);
  const { manifests } = JSON.parse(await textOf(archive, top)) as { manifests: Descriptor[] };
  let { digest } = choosePlatform(manifests);
  let manifest = await json<Manifest>(digest);
  if (manifest.manifests) {
    digest = choosePlatform(manifest.manifests).digest;
    manifest = await json<Manifest>(digest);
  }
  const { config = {}, rootfs } = await json<{ config?: ImageConfig; rootfs: { diff_ids: string[] } }>(
    manifest.config.digest,
  );
  const diffIds = rootfs.diff_ids;
  if (diffIds.length !== manifest.layers.length) throw new Error(`${archive}: layers and diff_ids differ in number`);
  return { digest, manifest, config, diffIds, blob };
}

function choosePlatform(manifests: readonly Descriptor[]): Descriptor {
  const architecture = ARCHITECTURES[process.arch] ?? process.arch;
  const fits = manifests.filter(({ platform }) => !platform?.architecture || platform.architecture === architecture);
  const chosen = fits.find(({ platform }) => !platform?.os || platform.os === 'linux');
  if (chosen) return chosen;
  const has = manifests.map(({ platform }) => `${platform?.os}/${platform?.architecture}`).join(', ');
  throw new Error(`no image for linux/${architecture} (has: ${has || 'none'})`);
}

/** Reads a text of an archive and verifies its digest. */
async function textOf(archive: string, member: Member, digest?: string): Promise<string> {
  if (member.size > MAX_JSON_BYTES) {
    throw new Error(`${digest ?? 'index.json'} has ${member.size} bytes (allowed: ${MAX_JSON_BYTES})`);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of openMember(archive, member)) chunks.push(chunk as Buffer);
  const content = Buffer.concat(chunks);
  const got = createHash('sha256').update(content).digest('hex');
  if (digest && hexOf(digest) !== got) {
    throw new Error(`blob ${digest} is damaged (sha256:${got}); build or pull the image again`);
  }
  return content.toString('utf8');
}
