/** Validates digests. They become file names in the store, so values from an image are never used unchecked. Pure. */

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Returns the hexadecimal part; throws if the value is not a SHA-256 digest. */
export function hexOf(digest: unknown): string {
  if (typeof digest === 'string' && DIGEST.test(digest)) return digest.slice('sha256:'.length);
  throw new Error(
    `${JSON.stringify(digest)?.slice(0, 100)} is not a digest (allowed: sha256: and 64 hexadecimal digits); build the image again`,
  );
}

/** Directory of a layer, by the digest of its tar. Short, because the options of mount(2) are limited to one page. */
export const layerName = (diffId: unknown): string => hexOf(diffId).slice(0, 32);
