/** Digests name files of the store, so what an image says is never taken for one unseen. Pure. */

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** The hexadecimal part; throws for anything that is not a SHA-256 digest. */
export function hexOf(digest: unknown): string {
  if (typeof digest === 'string' && DIGEST.test(digest)) return digest.slice('sha256:'.length);
  throw new Error(
    `${JSON.stringify(digest)?.slice(0, 100)} is not a digest (allowed: sha256: and 64 hexadecimal digits); build the image again`,
  );
}

/** Directory of a layer, by the digest of its tar: short, because mount(2) takes all layers in one page of options. */
export const layerName = (diffId: unknown): string => hexOf(diffId).slice(0, 32);
