import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeImage } from '../src/cli/images/make';
import { imageNames } from '../src/cli/images/names';
import { type Figure, figure } from './figure';

const checkout = resolve(__dirname, '..');

/** A layer of an image. */
interface Layer {
  readonly digest: string;
  /** Bytes in a registry. */
  readonly compressed: number;
  /** Bytes of its tar file. */
  readonly unpacked: number;
}

/** Sizes of an image in bytes. */
export interface ImageSize {
  readonly compressed: number;
  readonly unpacked: number;
  /** Part of `compressed` in layers that other images also have. */
  readonly shared: number;
}

/** The largest compressed sizes in MiB. */
const TARGETS: Readonly<Record<string, number>> = {
  'upload-proxy': 50,
  'virt-api': 50,
  'virt-controller': 50,
  'virt-handler': 70,
  'virt-importer': 55,
  'virt-launcher': 85,
  'virt-operator': 50,
};

function layersOf(archive: string): Layer[] {
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-bench-'));
  try {
    execFileSync('tar', ['-xf', archive, '-C', folder]);
    const blob = (digest: string): Buffer => readFileSync(join(folder, 'blobs', digest.replace(':', '/')));
    const { manifests } = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as {
      manifests: { digest: string }[];
    };
    const manifest = JSON.parse(blob(manifests[0]!.digest).toString()) as {
      layers: { digest: string; size: number }[];
    };
    return manifest.layers.map(({ digest, size }) => {
      // the last field of a file in format gzip is the size of its content
      return { digest, compressed: size, unpacked: blob(digest).readUInt32LE(size - 4) };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Sizes of images by their archives, and bytes of all images together: a registry or node stores shared layers once. */
export function sizesOf(archives: Readonly<Record<string, string>>): {
  readonly images: Readonly<Record<string, ImageSize>>;
  readonly together: number;
} {
  const layers = Object.entries(archives).map(([name, archive]) => [name, layersOf(archive)] as const);
  const all = layers.flatMap(([, own]) => own);
  const uses = (digest: string): number => all.filter((layer) => layer.digest === digest).length;
  const images = layers.map(([name, own]): [string, ImageSize] => [
    name,
    {
      compressed: sum(own.map(({ compressed }) => compressed)),
      unpacked: sum(own.map(({ unpacked }) => unpacked)),
      shared: sum(own.map(({ digest, compressed }) => (uses(digest) > 1 ? compressed : 0))),
    },
  ]);
  const distinct = new Map(all.map(({ digest, compressed }) => [digest, compressed]));
  return { images: Object.fromEntries(images), together: sum([...distinct.values()]) };
}

const mebibytes = (bytes: number): number => bytes / 2 ** 20;

/** Sizes of the platform's images. Builds images that are not in the cache. */
export async function benchImages(): Promise<Figure[]> {
  const archives: Record<string, string> = {};
  for (const name of imageNames) {
    const options = { bundles: join(checkout, 'build'), packageRoot: checkout, refresh: false };
    archives[name] = (await makeImage(name, options)).archive;
  }
  const { images, together } = sizesOf(archives);
  const figures = Object.entries(images).map(([name, { compressed, unpacked, shared }]) => {
    const details = `${mebibytes(unpacked).toFixed(1)} MiB unpacked, ${mebibytes(shared).toFixed(1)} MiB in shared layers`;
    return figure(`image ${name}`, mebibytes(compressed), 'MiB compressed', TARGETS[name]!, details);
  });
  const method = 'compressed layers of all images, each layer once';
  return [...figures, figure('all images', mebibytes(together), 'MiB compressed', 120, method)];
}
