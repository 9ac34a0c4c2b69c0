const digits: Readonly<Record<string, number>> = { md5: 32, sha1: 40, sha256: 64, sha512: 128 };

export type ParsedChecksum =
  { readonly text: string; readonly problem?: never } | { readonly text?: never; readonly problem: string };

/** Parses `ALGORITHM:HEX`. As in CDI, spaces and upper case are allowed; the parsed text has neither. */
export function parseChecksum(given: string): ParsedChecksum {
  const colon = given.indexOf(':');
  if (colon < 0) return { problem: `invalid checksum format: expected 'algorithm:hash', got '${given}'` };
  const algorithm = given.slice(0, colon).trim().toLowerCase();
  const hash = given
    .slice(colon + 1)
    .trim()
    .toLowerCase();
  if (hash === '') return { problem: 'checksum hash value cannot be empty' };
  if (!Object.hasOwn(digits, algorithm)) {
    const supported = Object.keys(digits).join(', ');
    return { problem: `unsupported hash algorithm '${algorithm}': supported algorithms are: ${supported}` };
  }
  if (hash.length !== digits[algorithm]) {
    const problem = `invalid ${algorithm} hash length: expected ${digits[algorithm]} hex characters, got ${hash.length}`;
    return { problem };
  }
  return /^[\da-f]*$/.test(hash)
    ? { text: `${algorithm}:${hash}` }
    : { problem: 'checksum hash is not valid hexadecimal' };
}
