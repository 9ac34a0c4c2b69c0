import { goSyntaxError } from '../json/go-json';
import { Printer } from '../registry/kind';
import { age } from '../table/format';
import { deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { isConfigMapKey } from '../validation/names';
import { define, fieldLabelNotSupported } from './define';

/** Maximum size of the data, as in etcd. */
const MAX_BYTES = 1024 * 1024;

const size = (map: Record<string, string> | undefined) => Object.keys(map ?? {}).length;

function validateKeys(maps: Record<string, Record<string, string> | undefined>, fields: Fields): void {
  for (const [name, map] of Object.entries(maps)) {
    for (const key of Object.keys(map ?? {})) {
      fields.child(name).key(key).invalidEach(key, isConfigMapKey(key));
    }
  }
}

function validateImmutable(next: AnyObject, old: AnyObject, names: readonly string[], fields: Fields): void {
  if (!old.immutable) return;
  if (!next.immutable) fields.child('immutable').forbidden('field is immutable when `immutable` is set');
  for (const name of names) {
    if (!deepEqual(next[name] ?? {}, old[name] ?? {})) {
      fields.child(name).forbidden('field is immutable when `immutable` is set');
    }
  }
}

export const configMap = define({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  shortNames: ['cm'],
  printer: {
    columns: [
      { name: 'Name', type: 'string', format: 'name' },
      { name: 'Data', type: 'string' },
      { name: 'Age', type: 'string' },
    ],
    row: ({ metadata, data, binaryData }, now) => [
      metadata.name!,
      size(data) + size(binaryData),
      age(metadata.creationTimestamp, now),
    ],
  },
  validate({ data, binaryData }, fields) {
    validateKeys({ data, binaryData }, fields);
    for (const key of Object.keys(data ?? {})) {
      if (Object.hasOwn(binaryData ?? {}, key)) {
        fields.child('data').key(key).invalid(key, 'duplicate of key present in binaryData');
      }
    }
    const bytes = [...Object.values(data ?? {}), ...Object.values(binaryData ?? {})] as string[];
    if (bytes.reduce((sum, text) => sum + Buffer.byteLength(text), 0) > MAX_BYTES) fields.tooLong(MAX_BYTES);
  },
  validateUpdate(next, old, fields) {
    validateImmutable(next, old, ['data', 'binaryData'], fields);
    this.validate!(next, fields);
  },
});

const secretPrinter: Printer = {
  columns: [
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Type', type: 'string' },
    { name: 'Data', type: 'string' },
    { name: 'Age', type: 'string' },
  ],
  row: ({ metadata, type, data }, now) => [
    metadata.name!,
    type ?? '',
    size(data),
    age(metadata.creationTimestamp, now),
  ],
};

/** Required keys by type of Secret. */
const REQUIRED_KEYS: Record<string, readonly string[]> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

/** Warning about a certificate or a key that is not in PEM form. */
function tlsWarnings({ type, data = {} }: AnyObject): string[] {
  if (type !== 'kubernetes.io/tls') return [];
  for (const [key, what] of [
    ['tls.crt', 'certificate'],
    ['tls.key', 'key'],
  ] as const) {
    const text = Buffer.from(data[key] ?? '', 'base64').toString('latin1');
    if (!/^-----BEGIN /m.test(text)) return [`tls: failed to find any PEM data in ${what} input`];
  }
  return [];
}

export const secret = define({
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
  selectableFields: ['type'],
  unsupportedField: fieldLabelNotSupported,
  fields: ({ type }) => ({ type: type ?? '' }),
  printer: secretPrinter,
  defaults(object) {
    object.type ||= 'Opaque';
    if (!object.stringData) return;
    object.data = { ...object.data };
    for (const [key, text] of Object.entries(object.stringData as Record<string, string>)) {
      object.data[key] = Buffer.from(text).toString('base64');
    }
    delete object.stringData;
  },
  prepareForCreate(object, context) {
    tlsWarnings(object).forEach((warning) => context.warn(warning));
  },
  prepareForUpdate(object, _old, context) {
    tlsWarnings(object).forEach((warning) => context.warn(warning));
  },
  validate({ metadata, type, data }, fields) {
    validateKeys({ data }, fields);
    const bytes = (Object.values(data ?? {}) as string[]).reduce(
      (sum, text) => sum + Buffer.byteLength(text, 'base64'),
      0,
    );
    if (bytes > MAX_BYTES) fields.child('data').tooLong(MAX_BYTES);
    for (const key of REQUIRED_KEYS[type] ?? []) {
      const missing = !Object.hasOwn(data ?? {}, key) || (key === 'ssh-privatekey' && !data[key]);
      if (missing) fields.child('data').key(key).required();
      else if (key.startsWith('.docker')) {
        const wrong = goSyntaxError(Buffer.from(data[key], 'base64').toString('utf8'));
        if (wrong) fields.child('data').key(key).invalid('<secret contents redacted>', wrong);
      }
    }
    if (type === 'kubernetes.io/basic-auth' && !data?.username && !data?.password) {
      fields.child('data[username]').required();
      fields.child('data[password]').required();
    }
    const account = 'kubernetes.io/service-account.name';
    if (type === 'kubernetes.io/service-account-token' && !metadata.annotations?.[account]) {
      fields.child('metadata', 'annotations').key(account).required();
    }
  },
  validateUpdate(next, old, fields) {
    if (next.type !== old.type) fields.child('type').invalid(next.type, 'field is immutable');
    validateImmutable(next, old, ['data'], fields);
    this.validate!(next, fields);
  },
});

export const serviceAccount = define({
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
  shortNames: ['sa'],
  returnsDeleted: true,
  printer: {
    columns: [
      { name: 'Name', type: 'string', format: 'name' },
      { name: 'Age', type: 'string' },
    ],
    row: ({ metadata }, now) => [metadata.name!, age(metadata.creationTimestamp, now)],
  },
});
