import { readFileSync } from 'node:fs';
import { mistakeInCode } from '../validation';

/** Images of the platform, each with its property of `PlatformImages`. */
export const IMAGE_PROPERTIES = {
  'upload-proxy': 'uploadProxy',
  'virt-api': 'virtApi',
  'virt-controller': 'virtController',
  'virt-handler': 'virtHandler',
  'virt-importer': 'virtImporter',
  'virt-launcher': 'virtLauncher',
  'virt-operator': 'virtOperator',
} as const;

export type ImageName = keyof typeof IMAGE_PROPERTIES;
export type ImageProperty = (typeof IMAGE_PROPERTIES)[ImageName];

/** Content of a file that `virt8s images build --lock` writes. */
export interface ImageLock {
  /** Version of the format. */
  readonly lockVersion: number;
  readonly registry: string;
  readonly tag: string;
  /** Digests by image. */
  readonly images: Readonly<Record<string, string>>;
}

export const LOCK_VERSION = 1;

const CALL = 'PlatformImages.fromLock';
const RULE = 'image-reference';
const REBUILD = 'write it again with virt8s images build --push REGISTRY --lock FILE';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const wrong = (cause: string, remedy = REBUILD): never => mistakeInCode(CALL, 'file', cause, remedy, RULE);

/** Reads a lock. Throws if the file is missing or damaged. */
export function readImageLock(file: string): ImageLock {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return wrong(code === 'ENOENT' ? `"${file}" does not exist` : `"${file}" cannot be read: ${message}`);
  }
  return parseImageLock(text, file);
}

/** Parses the text of a lock. Throws if it does not pin all images of the platform. */
export function parseImageLock(text: string, file: string): ImageLock {
  let lock: unknown;
  try {
    lock = JSON.parse(text);
  } catch {
    return wrong(`"${file}" is not valid JSON`);
  }
  if (!isRecord(lock)) return wrong(`"${file}" must contain an object`);
  const { lockVersion, registry, tag, images } = lock;
  if (lockVersion !== LOCK_VERSION) {
    wrong(`"${file}" has lockVersion ${JSON.stringify(lockVersion)}, not ${LOCK_VERSION}`);
  }
  if (typeof registry !== 'string' || typeof tag !== 'string') wrong(`registry and tag of "${file}" must be strings`);
  if (!isRecord(images)) return wrong(`images of "${file}" must be an object`);
  const names = Object.keys(IMAGE_PROPERTIES);
  for (const [name, digest] of Object.entries(images)) {
    if (!names.includes(name))
      wrong(`"${file}" contains "${name}", which is not an image of the platform`, `remove it, or ${REBUILD}`);
    if (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest)) {
      wrong(`"${file}": ${JSON.stringify(digest)} is not a digest of ${name} (sha256: and 64 hexadecimal digits)`);
    }
  }
  const missing = names.filter((name) => !Object.hasOwn(images, name));
  if (missing.length > 0) wrong(`"${file}" does not contain ${missing.join(', ')}`);
  return lock as unknown as ImageLock;
}

/** Full references of a lock, by property of `PlatformImages`. */
export const lockedReferences = ({ registry, images }: ImageLock): Record<ImageProperty, string> =>
  Object.fromEntries(
    Object.entries(IMAGE_PROPERTIES).map(([name, property]) => [property, `${registry}/${name}@${images[name]!}`]),
  ) as Record<ImageProperty, string>;
