/** Public keys of OpenSSH in a line of `authorized_keys`: options, type, base64, comment. */

/** Fields of a key after its type: their number, and the length of the last one where it is fixed. */
const shapes: Readonly<Record<string, readonly [fields: number, fixed?: readonly [field: number, bytes: number]]>> = {
  'ssh-rsa': [2],
  'ssh-dss': [4],
  'ssh-ed25519': [1, [0, 32]],
  'ecdsa-sha2-nistp256': [2, [1, 65]],
  'ecdsa-sha2-nistp384': [2, [1, 97]],
  'ecdsa-sha2-nistp521': [2, [1, 133]],
  'sk-ssh-ed25519@openssh.com': [2, [0, 32]],
  'sk-ecdsa-sha2-nistp256@openssh.com': [3, [1, 65]],
};

const LINE =
  /^(?:\S.*?\s)?(ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\S+|sk-\S+@openssh\.com)\s+([A-Za-z0-9+/]+={0,3})(?:\s.*)?$/;
/** Types without a check of their fields: certificates, and types that are not known here. */
const SMALLEST_RSA_MODULUS = 128;

/** Returns what is wrong with a line of `authorized_keys`; undefined when sshd can read it. Never repeats the key. */
export function publicKeyProblem(line: string): 'is not a public key' | 'is a truncated public key' | undefined {
  const [, type, base64] = LINE.exec(line.trim()) ?? [];
  if (type === undefined || line.trim().includes('\n')) return 'is not a public key';
  if (!Object.hasOwn(shapes, type)) return undefined;
  const [count, fixed] = shapes[type];
  const [name, ...fields] = fieldsOf(Buffer.from(base64, 'base64')) ?? [];
  const isWhole =
    name?.toString('latin1') === type &&
    fields.length === count &&
    (!fixed || fields[fixed[0]].length === fixed[1]) &&
    (type !== 'ssh-rsa' || fields[1].length >= SMALLEST_RSA_MODULUS);
  return isWhole ? undefined : 'is a truncated public key';
}

/** Returns the fields, each of which follows its length; undefined when the last one is truncated. */
function fieldsOf(blob: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  for (let at = 0; at < blob.length;) {
    if (at + 4 > blob.length) return undefined;
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return undefined;
    fields.push(blob.subarray(at + 4, end));
    at = end;
  }
  return fields;
}
