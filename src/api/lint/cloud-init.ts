/** Cloud-init data in manifests: in the volume, or in a Secret declared with it. */
import { CHECKED_SOURCES } from '../cloud-init/checked';
import { validateNetworkText, validateUserText } from '../cloud-init/raw-text';
import type { Finding, Path } from '../findings';
import type { KubeObject } from '../meta';
import { documentsFit } from './cloud-documents';
import { contentOf } from './keys';
import { guestsIn } from './network-guests';
import { isObject, type Json, listAt, textAt } from './read';
import { keysOf } from './storage-sources';
import type { World } from './world';

const sources = { cloudInitNoCloud: 'NoCloud', cloudInitConfigDrive: 'ConfigDrive' } as const;
type Field = keyof typeof sources;

/** Fields that name a Secret, the keys that KubeVirt reads from it, and the kind of data. */
const secrets = [
  ['secretRef', ['userdata', 'userData'], 'user'],
  ['networkDataSecretRef', ['networkdata', 'networkData'], 'network'],
] as const;

/** Validates the documents that cloud-init reads in the guest. */
export function cloudInitRules(object: KubeObject, world: World): Finding[] {
  const guests = guestsIn(object);
  if (!guests) return [];
  const documents = listAt(guests.spec, 'volumes').flatMap((volume, i) =>
    (Object.keys(sources) as Field[]).flatMap((field) => {
      const source = volume[field];
      if (!isObject(source) || CHECKED_SOURCES.has(source)) return [];
      const at = guests.at.at('volumes', i, field);
      return [...inline(source, field, at), ...inSecrets(source, field, at, guests.namespace, world)];
    }),
  );
  // a document with mistakes names devices that its author may not mean
  return documents.length > 0 ? documents : [...documentsFit(guests)];
}

function inline(source: Json, field: Field, at: Path): Finding[] {
  return [
    ...userData(textAt(source, 'userData'), at.at('userData')),
    ...encoded(source, 'userDataBase64', at, userData),
    ...networkData(textAt(source, 'networkData'), field, at.at('networkData')),
    ...encoded(source, 'networkDataBase64', at, (text, path) => networkData(text, field, path)),
  ];
}

const userData = (text: string | undefined, at: Path): Finding[] =>
  text === undefined ? [] : validateUserText(text, at);

const networkData = (text: string | undefined, field: Field, at: Path): Finding[] =>
  text === undefined ? [] : validateNetworkText(text, at, sources[field]);

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function encoded(source: Json, field: string, at: Path, check: (text: string, at: Path) => Finding[]): Finding[] {
  const text = textAt(source, field);
  if (text === undefined) return [];
  const path = at.at(field);
  if (!BASE64.test(text.replace(/[\r\n]/g, ''))) {
    const remedy = `encode it with base64, or write it as text in ${field.replace('Base64', '')}`;
    return [{ rule: 'cloud-init-base64', path, cause: 'is not base64', remedy }];
  }
  // the lines of the decoded text are not those of the manifest
  return check(Buffer.from(text, 'base64').toString(), path).map(({ line: _, ...finding }) => finding);
}

/** Validates data in Secrets. Messages repeat only the name and keys of a Secret. */
function inSecrets(source: Json, field: Field, at: Path, namespace: string | undefined, world: World): Finding[] {
  return secrets.flatMap(([ref, keys, kind]): Finding[] => {
    const name = textAt(source, ref, 'name');
    const secret = name === undefined ? undefined : world.find('Secret', namespace, name);
    // a Secret without keys is filled by another program
    if (!secret || keysOf(secret).length === 0) return [];
    const path = at.at(ref, 'name');
    const key = keys.find((each) => contentOf(secret, each) !== undefined);
    if (key === undefined) {
      const cause = `Secret "${name}" has no key "${keys[0]}", which cloud-init reads`;
      const remedy = `add the key ${keys[0]} to the Secret`;
      return [{ rule: 'cloud-init-secret-key', path, value: keysOf(secret), allowed: keys, cause, remedy }];
    }
    const text = contentOf(secret, key)!;
    const found = kind === 'user' ? userData(text, path) : networkData(text, field, path);
    return found.map((finding) => ({ ...finding, cause: `key "${key}" of Secret "${name}": ${finding.cause}` }));
  });
}
