/** References of container images: `[host/]path[:tag][@digest]`. */

/** Cause and remedy of an invalid reference. */
export interface ImageProblem {
  readonly cause: string;
  readonly remedy: string;
}

const DIGEST = /^sha(256:[\da-f]{64}|512:[\da-f]{128})$/;
const TAG = /^\w[\w.-]{0,127}$/;
const SEGMENT = /^[a-z\d]+(?:(?:\.|_|__|-+)[a-z\d]+)*$/;
const EXAMPLE = 'write it like registry.example/images/fedora:42';

/** Returns what is wrong with a reference; undefined when a node can pull the image. `text` should have no scheme. */
export function imageProblem(text: string): ImageProblem | undefined {
  const scheme = /^[a-z][\w+.-]*:\/\//i.exec(text)?.[0];
  if (scheme !== undefined) {
    const image = text.slice(scheme.length);
    const isFile = /^https?:/i.test(scheme);
    const remedy = isFile
      ? 'a container disk is an image of a registry; use Disk.http (a DataVolume with source http) for a file'
      : `write "${image}"`;
    return { cause: `begins with ${scheme}, which is not part of an image reference`, remedy };
  }
  if (/\s/.test(text)) return { cause: 'contains white space', remedy: 'remove the white space' };
  const [named, digest, ...more] = text.split('@');
  if (more.length > 0 || (digest !== undefined && !DIGEST.test(digest))) {
    return { cause: 'has a digest that is not sha256: and 64 hexadecimal digits', remedy: 'copy the complete digest' };
  }
  const slash = named.lastIndexOf('/');
  const colon = named.indexOf(':', slash + 1);
  const tag = colon < 0 ? undefined : named.slice(colon + 1);
  if (tag === '') return { cause: 'ends with a colon and has no tag', remedy: 'add the tag, or remove the colon' };
  if (tag !== undefined && !TAG.test(tag)) {
    return { cause: `has an invalid tag: "${tag}"`, remedy: EXAMPLE };
  }
  const segments = (colon < 0 ? named : named.slice(0, colon)).split('/');
  const path = segments.length > 1 && /[.:[]|^localhost$/.test(segments[0]) ? segments.slice(1) : segments;
  if (path.some((segment) => /[A-Z]/.test(segment))) {
    return { cause: 'has capital letters in its path', remedy: 'write the path in lower case' };
  }
  return path.every((segment) => SEGMENT.test(segment))
    ? undefined
    : { cause: 'is not an image reference', remedy: EXAMPLE };
}

/** Images of Docker's library that are mistaken for a container disk of the same system. None of them has a disk. */
const LIBRARY =
  /^(?:docker\.io\/)?(?:library\/)?(?:almalinux|alpine|amazonlinux|archlinux|busybox|centos|debian|fedora|httpd|nginx|opensuse|oraclelinux|postgres|redis|rockylinux|ubuntu)(?:[:@]|$)/;

/** Whether the image is one of Docker's library, which contains programs instead of a disk. */
export const isLibraryImage = (text: string): boolean => LIBRARY.test(text);
