import { goNames } from './generated/go-names';
import { messages } from './generated/messages';

/** A field of a built-in Go type. */
export interface Field {
  /** Empty for an embedded struct, whose fields belong to the containing object. */
  readonly name: string;
  readonly number: number;
  /** `s b i n y t T d f q x r v`, `@type`, `[]…`, `{}…` (see generate.ts). */
  readonly type: string;
  /** Whether a zero is a value, and not the same as an absent field. */
  readonly pointer: boolean;
  /** Whether Go prints the field even when it is empty. */
  readonly printed: boolean;
}

const PACKAGES: Readonly<Record<string, string>> = {
  '': 'core',
  apps: 'apps',
  'coordination.k8s.io': 'coordination',
  'discovery.k8s.io': 'discovery',
  'rbac.authorization.k8s.io': 'rbac',
  'storage.k8s.io': 'storage',
  'scheduling.k8s.io': 'scheduling',
  policy: 'policy',
  'admissionregistration.k8s.io': 'admissionregistration',
  'networking.k8s.io': 'networking',
  'events.k8s.io': 'events',
  'authentication.k8s.io': 'authentication',
  'authorization.k8s.io': 'authorization',
  autoscaling: 'autoscaling',
  batch: 'batch',
  'meta.k8s.io': 'meta',
};

/** Name of a kind's Go type: `core.v1.Pod`; undefined when the table does not have it. */
export function goType(group: string, version: string, kind: string): string | undefined {
  // DeleteOptions travel in the version of the group that they are for.
  if (kind === 'DeleteOptions') return 'meta.v1.DeleteOptions';
  const name = `${PACKAGES[group]}.${version}.${kind}`;
  return Object.hasOwn(messages, name) ? name : undefined;
}

const cache = new Map<string, readonly Field[]>();

/** Fields of a Go type, in their order. */
export function fieldsOf(type: string): readonly Field[] {
  let fields = cache.get(type);
  if (!fields) {
    fields = (messages[type] ?? '').split(' ').flatMap((text) => {
      const [, name, number, kind, pointer, printed] = /^(\w*)=(\d*):(.*?)(\*)?(!)?$/.exec(text) ?? [];
      if (kind === undefined) return [];
      return [{ name, number: Number(number), type: kind, pointer: pointer === '*', printed: printed === '!' }];
    });
    cache.set(type, fields);
  }
  return fields;
}

/** Type of a field as Go prints it, if its name is not visible in JSON (`v1.SecretType`). */
export function goTypeName(struct: string, field: string): string | undefined {
  const names = Object.hasOwn(goNames, struct) ? goNames[struct] : undefined;
  return names
    ?.split(' ')
    .find((text) => text.startsWith(`${field}=`))
    ?.slice(field.length + 1);
}

/** Names of the embedded structs through which a Go struct has a field: `VolumeSource` for the field `emptyDir` of a Volume. */
export function embeddingOf(struct: string, field: string): string[] {
  const fields = fieldsOf(struct);
  if (fields.some(({ name }) => name === field)) return [];
  for (const { name, type } of fields) {
    if (name) continue;
    const inner = type.slice(1);
    if (fieldsOf(inner).some((item) => item.name === field)) return [inner.split('.').pop()!];
    const deeper = embeddingOf(inner, field);
    if (deeper.length) return [inner.split('.').pop()!, ...deeper];
  }
  return [];
}
