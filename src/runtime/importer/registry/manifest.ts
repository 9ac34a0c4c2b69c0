/** Chooses the layers of an image for a platform. Pure. */
import { ImportError } from '../import-error';

export interface Descriptor {
  readonly mediaType?: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly architecture?: string; readonly os?: string };
}

/** An image, or an index of images. */
export interface Manifest {
  readonly layers?: readonly Descriptor[];
  readonly manifests?: readonly Descriptor[];
}

export const MANIFEST_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** Images of disks have few layers. */
const MOST_LAYERS = 128;
/** Images of an index, one for each platform. */
const MOST_IMAGES = 256;

/** Architecture of this machine in Go's names. */
export const ownArchitecture = (): string => ARCHITECTURES[process.arch] ?? process.arch;

/** Image of an index for an architecture. @throws ImportError that lists the platforms of the index */
export function chooseImage(images: readonly Descriptor[], architecture: string): Descriptor {
  if (!areValid(images, MOST_IMAGES)) {
    throw new ImportError('SourceRejected', 'the index of the image lists no valid images', 'push the image again');
  }
  const isFor = ({ platform }: Descriptor): boolean =>
    !platform?.architecture || platform.architecture === architecture;
  const chosen = images.find((image) => isFor(image) && (image.platform?.os ?? 'linux') === 'linux');
  if (chosen) return chosen;
  const all = images.map(({ platform }) => `${platform?.os}/${platform?.architecture}`).slice(0, 20);
  throw new ImportError(
    'SourceRejected',
    `the image has no platform linux/${architecture} (available: ${all.join(', ') || 'none'})`,
    'set spec.source.registry.platform.architecture to an available one',
  );
}

/** Layers of an image, the last first: it hides files of the others. @throws ImportError if the manifest is not valid */
export function layersOf({ layers }: Manifest): Descriptor[] {
  if (layers?.length && areValid(layers, MOST_LAYERS)) return [...layers].reverse();
  throw new ImportError('SourceRejected', 'the manifest of the image has no valid layers', 'push the image again');
}

/** Whether a list of a registry is what its type promises. */
const areValid = (list: readonly (Descriptor | null)[], most: number): boolean =>
  Array.isArray(list) &&
  list.length <= most &&
  list.every(
    (item: Descriptor | null) =>
      typeof item?.digest === 'string' && DIGEST.test(item.digest) && Number.isSafeInteger(item.size) && item.size >= 0,
  );
