import { createHash } from 'node:crypto';
import { jsonBlob, type Layout } from './blobs';
import type { ImageConfig } from './image';

export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly architecture?: string; readonly os?: string };
}

export interface Manifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  /** Images per platform, if this is an index of images. */
  readonly manifests?: readonly Descriptor[];
}

const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };

/** An image of a layout: its manifest and config for the platform of this machine. */
export interface ImageContent {
  /** Digest of the manifest. */
  readonly digest: string;
  readonly manifest: Manifest;
  readonly config: ImageConfig;
  /** Digest of each layer's content, base first. */
  readonly diffIds: readonly string[];
}

/** Reads the image of a layout and verifies its manifest and config. */
export async function readImage(layout: Layout): Promise<ImageContent> {
  const { manifests } = JSON.parse(await layout.index()) as { manifests: Descriptor[] };
  let { digest } = choosePlatform(manifests);
  let manifest = await jsonBlob<Manifest>(layout, digest);
  if (manifest.manifests) {
    digest = choosePlatform(manifest.manifests).digest;
    manifest = await jsonBlob<Manifest>(layout, digest);
  }
  const { config = {}, rootfs } = await jsonBlob<{ config?: ImageConfig; rootfs: { diff_ids: string[] } }>(
    layout,
    manifest.config.digest,
  );
  const diffIds = rootfs.diff_ids;
  if (diffIds.length !== manifest.layers.length) {
    throw new Error(`${layout.path}: layers and diff_ids differ in number`);
  }
  return { digest, manifest, config, diffIds };
}

/** The image for Linux on this machine's processor. @throws Error that lists the platforms of the index */
export function choosePlatform(manifests: readonly Descriptor[]): Descriptor {
  const architecture = ARCHITECTURES[process.arch] ?? process.arch;
  const fits = manifests.filter(({ platform }) => !platform?.architecture || platform.architecture === architecture);
  const chosen = fits.find(({ platform }) => !platform?.os || platform.os === 'linux');
  if (chosen) return chosen;
  const has = manifests.map(({ platform }) => `${platform?.os}/${platform?.architecture}`).join(', ');
  throw new Error(`no image for linux/${architecture} (has: ${has || 'none'})`);
}

/** Digest of a manifest's text. */
export const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
