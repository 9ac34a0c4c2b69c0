/** Keys of the Secrets that an app declares, and the readers of those keys. */
import { mistake } from '../admission/rule';
import { publicKeyProblem } from '../cloud-init/ssh-key';
import { type Finding, type Path, root } from '../findings';
import type { KubeObject } from '../meta';
import { guestsIn } from './network-guests';
import { type Json, keyOf, listAt, objectAt, read, textAt } from './read';
import { keysOf } from './storage-sources';
import type { World } from './world';

/** Field that names a Secret, and the keys that the Secret must have. */
interface Wanted {
  readonly path: Path;
  readonly name: string | undefined;
  /** Whether all keys are required; otherwise one of them. */
  readonly keys: readonly string[];
  readonly all?: boolean;
  readonly why: string;
}

const TOKEN = { keys: ['token'], why: 'which the export server reads its token from' };
const PULL = { keys: ['.dockerconfigjson', '.dockercfg'], why: 'which nodes need to pull the image' };
const TLS = { keys: ['tls.crt', 'tls.key'], all: true, why: 'which the Ingress reads its certificate from' };

function wantedBy(object: KubeObject): Wanted[] {
  switch (keyOf(object)) {
    case 'VirtualMachineExport.export.kubevirt.io':
    case 'VirtualMachineBackup.backup.kubevirt.io':
      return [{ ...TOKEN, path: root.at('spec', 'tokenSecretRef'), name: textAt(object, 'spec', 'tokenSecretRef') }];
    case 'Ingress.networking.k8s.io':
      return listAt(object, 'spec', 'tls').map((tls, i) => ({
        ...TLS,
        path: root.at('spec', 'tls', i, 'secretName'),
        name: textAt(tls, 'secretName'),
      }));
  }
  const guests = guestsIn(object);
  if (!guests) return [];
  const volumes = listAt(guests.spec, 'volumes');
  const disks = volumes.flatMap((volume, i) => {
    const name = textAt(volume, 'containerDisk', 'imagePullSecret');
    const path = (): Path => guests.at.at('volumes', i, 'containerDisk', 'imagePullSecret');
    return name === undefined ? [] : [{ ...PULL, path: path(), name }];
  });
  const acpi = objectAt(guests.spec, 'domain', 'firmware', 'acpi');
  if (!acpi) return disks;
  const tables = ACPI.flatMap(([field, key]) => {
    const volume = textAt(acpi, field);
    const name = textAt(
      volumes.find((each) => each.name === volume),
      'secret',
      'secretName',
    );
    const path = guests.at.at('domain', 'firmware', 'acpi', field);
    return { keys: [key], why: 'which the launcher reads the ACPI table from', path, name };
  });
  return [...disks, ...tables];
}

/** Fields that name a volume with an ACPI table, and the key that has the table. */
const ACPI = [
  ['slicNameRef', 'slic.bin'],
  ['msdmNameRef', 'msdm.bin'],
] as const;

function secretsHaveKeys(object: KubeObject, world: World): Finding[] {
  const namespace = textAt(object, 'metadata', 'namespace');
  return wantedBy(object).flatMap(({ path, name, keys, all, why }) => {
    const found = name === undefined ? [] : keysOf(world.find('Secret', namespace, name));
    const missing = keys.filter((key) => !found.includes(key));
    // a Secret without keys is filled by another program
    if (found.length === 0 || missing.length === 0 || (!all && missing.length < keys.length)) return [];
    const named = (all ? missing : [keys[0]]).map((key) => `"${key}"`).join(' and ');
    const cause = `Secret "${name}" has no key ${named}, ${why}`;
    return mistake('secret-key', path, cause, `add ${named} to it`, { value: found, allowed: keys });
  });
}

/** Keys that people write for a login. KubeVirt reads each key as the name of a user. */
const LOGIN = new Set(['username', 'user', 'password', 'passwd', 'pass']);

function credentials(object: KubeObject, world: World): Finding[] {
  const guests = guestsIn(object);
  if (!guests) return [];
  return listAt(guests.spec, 'accessCredentials').flatMap((credential, i) =>
    (['userPassword', 'sshPublicKey'] as const).flatMap((kind) => {
      const name = textAt(credential, kind, 'source', 'secret', 'secretName');
      const secret = name === undefined ? undefined : world.find('Secret', guests.namespace, name);
      if (!secret) return [];
      const path = guests.at.at('accessCredentials', i, kind, 'source', 'secret', 'secretName');
      return kind === 'userPassword' ? userNames(secret, path) : publicKeys(secret, path);
    }),
  );
}

function userNames(secret: KubeObject, path: Path): Finding[] {
  const keys = keysOf(secret);
  if (!keys.some((key) => /^pass/.test(key)) || !keys.every((key) => LOGIN.has(key))) return [];
  const cause = `each key of Secret "${secret.metadata.name}" is the name of a user, and "${keys.join('", "')}" is not one`;
  const remedy = 'name the key after the user, with the password as its value: ops: …';
  return mistake('credential-user-key', path, cause, remedy, { value: keys });
}

function publicKeys(secret: KubeObject, path: Path): Finding[] {
  return keysOf(secret).flatMap((key) => {
    const lines = (contentOf(secret, key) ?? '').split('\n').map((line) => line.trim());
    const problem = lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map(publicKeyProblem)
      .find(Boolean);
    if (problem === undefined) return [];
    const cause = `key "${key}" of Secret "${secret.metadata.name}" ${problem}`;
    const remedy = 'use a line of authorized_keys, such as the content of id_ed25519.pub';
    return mistake('credential-ssh-key', path, cause, remedy);
  });
}

/** Returns a value as the API server merges it: `stringData` wins. */
export function contentOf(secret: KubeObject, key: string): string | undefined {
  const plain = read(secret, 'stringData', key);
  if (typeof plain === 'string') return plain;
  const base64 = read(objectAt(secret, 'data') as Json | undefined, key);
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64').toString() : undefined;
}

/** Reports keys that a Secret of the app lacks, and keys with the wrong content. */
export const keyRules = (object: KubeObject, world: World): Finding[] => [
  ...secretsHaveKeys(object, world),
  ...credentials(object, world),
];
