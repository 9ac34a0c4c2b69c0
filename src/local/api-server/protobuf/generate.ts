/**
 * Reads the Go types of Kubernetes' built-in kinds (Debian's golang-k8s-*-dev packages, unpacked under the folder given
 * as argument) and writes generated/messages.ts: field numbers for protobuf bodies, and what Go prints when a field is
 * empty. generated/go-names.ts has the names of types that are not visible in JSON, for messages of Go's decoder.
 * generated/internal-types.ts has the fields of the unversioned types (k8s.io/kubernetes), which some messages print. Run: tsx src/local/api-server/protobuf/generate.ts <folder holding k8s.io/>
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = process.argv[2] ?? '/usr/share/gocode/src';
const FILES: Record<string, string> = {
  'meta.v1': 'k8s.io/apimachinery/pkg/apis/meta/v1/types.go',
  'core.v1': 'k8s.io/api/core/v1/types.go',
  'apiextensions.v1': 'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/types.go',
  'autoscaling.v2': 'k8s.io/api/autoscaling/v2/types.go',
};
for (const group of [
  'apps',
  'coordination',
  'discovery',
  'rbac',
  'storage',
  'scheduling',
  'policy',
  'admissionregistration',
  'networking',
  'events',
  'authentication',
  'authorization',
  'autoscaling',
  'batch',
]) {
  FILES[`${group}.v1`] = `k8s.io/api/${group}/v1/types.go`;
}

const ROOTS = [
  ...['Namespace', 'Pod', 'Service', 'ConfigMap', 'Secret', 'ServiceAccount', 'Event', 'Node', 'Endpoints'].map(core),
  ...['PersistentVolumeClaim', 'PersistentVolume', 'ResourceQuota', 'LimitRange', 'Binding'].map(core),
  ...['ControllerRevision', 'Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet'].map((kind) => `apps.v1.${kind}`),
  ...['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'].map((kind) => `rbac.v1.${kind}`),
  ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'].map(
    (kind) => `admissionregistration.v1.${kind}`,
  ),
  ...['SubjectAccessReview', 'SelfSubjectAccessReview', 'LocalSubjectAccessReview', 'SelfSubjectRulesReview'].map(
    (kind) => `authorization.v1.${kind}`,
  ),
  ...['TokenRequest', 'TokenReview', 'SelfSubjectReview'].map((kind) => `authentication.v1.${kind}`),
  ...['PodDisruptionBudget', 'Eviction'].map((kind) => `policy.v1.${kind}`),
  ...['NetworkPolicy', 'Ingress', 'IngressClass'].map((kind) => `networking.v1.${kind}`),
  'coordination.v1.Lease',
  'discovery.v1.EndpointSlice',
  'storage.v1.StorageClass',
  'scheduling.v1.PriorityClass',
  'events.v1.Event',
  'autoscaling.v1.Scale',
  ...['autoscaling.v1', 'autoscaling.v2'].map((group) => `${group}.HorizontalPodAutoscaler`),
  ...['Job', 'CronJob'].map((kind) => `batch.v1.${kind}`),
  'meta.v1.DeleteOptions',
  'meta.v1.Status',
];

function core(kind: string): string {
  return `core.v1.${kind}`;
}

interface GoField {
  name: string;
  type: string;
  json: string;
  number: string;
  flags: string;
}

const structs = new Map<string, GoField[]>();
const aliases = new Map<string, string>();

/** `k8s.io/api/core/v1` -> `core.v1` */
function packageOf(path: string): string {
  const parts = path.split('/');
  return parts.slice(-2).join('.');
}

function read(pack: string, file: string, untagged = false): void {
  const text = readFileSync(join(root, file), 'utf8');
  const imports = new Map<string, string>();
  for (const [, alias, path] of text.matchAll(/^\t(\w+)? ?"([\w./-]+)"$/gm)) {
    imports.set(alias ?? path.split('/').pop()!, path);
  }
  const qualify = (type: string): string =>
    type.replace(/(?<![\w.])(?:(\w+)\.)?([A-Z]\w*)/g, (_, alias: string | undefined, name: string) => {
      if (!alias) return `${pack}.${name}`;
      const path = imports.get(alias) ?? alias;
      return /\/v\d$/.test(path) ? `${packageOf(path)}.${name}` : `${alias}.${name}`;
    });
  let open: string | undefined;
  for (const line of text.split('\n')) {
    const start = /^type (\w+) struct \{$/.exec(line);
    const alias = /^type (\w+) (?!struct|interface)([\w.[\]*]+)/.exec(line);
    if (start) structs.set((open = `${pack}.${start[1]}`), []);
    else if (line === '}') open = undefined;
    else if (alias) aliases.set(`${pack}.${alias[1]}`, qualify(alias[2]));
    else if (open) {
      const field = untagged
        ? /^\t(?:(\w+)[ \t]+)?([\w.[\]*]+)[ \t]*()(?:\/\/.*)?$/.exec(line)
        : /^\t(?:(\w+)\s+)?([\w.[\]*]+)\s+`(.*)`/.exec(line);
      if (untagged) {
        if (field)
          structs.get(open)!.push({ name: field[1] ?? '', type: qualify(field[2]), json: '', number: '', flags: '' });
        continue;
      }
      const json = field && /json:"([^"]*)"/.exec(field[3]);
      const number = field && /protobuf:"[^",]*,(\d+)/.exec(field[3]);
      if (!field || !json) continue;
      const [name, ...flags] = json[1].split(',');
      structs.get(open)!.push({
        name: field[1] ?? '',
        type: qualify(field[2]),
        json: name,
        number: number?.[1] ?? '',
        flags: flags.join(','),
      });
    }
  }
}

const SCALARS: Record<string, string> = {
  string: 's',
  bool: 'b',
  int: 'i',
  int32: 'i',
  int64: 'i',
  byte: 'y',
  '[]byte': 'y',
  float64: 'n',
  'meta.v1.Time': 't',
  'meta.v1.MicroTime': 'T',
  'meta.v1.Duration': 'd',
  'meta.v1.FieldsV1': 'f',
  'resource.Quantity': 'q',
  'intstr.IntOrString': 'x',
  'runtime.RawExtension': 'r',
  'runtime.Unknown': 'r',
  'types.UID': 's',
  'types.NodeName': 's',
};
/** Named slices that are messages of their own on the wire: `items` is field 1. */
const SLICE_MESSAGES = new Set(['authentication.v1.ExtraValue', 'authorization.v1.ExtraValue']);

const needed = new Set<string>();
const queue: string[] = [];

function notation(type: string): string {
  if (SCALARS[type]) return SCALARS[type];
  if (type.startsWith('*')) return notation(type.slice(1));
  if (type.startsWith('[]')) return `[]${notation(type.slice(2))}`;
  const map = /^map\[[\w.]+\](.+)$/.exec(type);
  if (map) return `{}${notation(map[1])}`;
  if (SLICE_MESSAGES.has(type)) return 'v';
  const alias = aliases.get(type);
  if (alias) return notation(alias);
  if (!structs.has(type)) throw new Error(`type ${type} is not known`);
  if (!needed.has(type)) {
    needed.add(type);
    queue.push(type);
  }
  return `@${type}`;
}

/**
 * One field: `json=number:TYPE`, then `*` for a pointer (a zero is a value), `!` when Go prints it even if empty.
 * An inlined struct has no name.
 */
function fieldText(field: GoField): string {
  const pointer = field.type.startsWith('*');
  const omit = /omitempty|omitzero/.test(field.flags);
  const type = notation(field.type);
  const struct = /^[@tT]/.test(type) && !pointer;
  const printed = struct ? !field.flags.includes('omitzero') : !omit;
  return `${field.json}=${field.number}:${type}${pointer ? '*' : ''}${printed && field.json ? '!' : ''}`;
}

/** Type as Go prints it, if its name is not visible in JSON: `[]v1.Capability`. */
function goName(type: string): string | undefined {
  const [, name] = /([\w.]+)$/.exec(type) ?? [];
  if (!name || !(aliases.has(name) || name.startsWith('types.'))) return undefined;
  return type.replace(/\*/g, '').replace(/\w+\.(v\d\.)/g, '$1');
}

/** Unversioned types that messages print, with all types below them. */
const PRINTED = ['PodSpec', 'PersistentVolumeSource', 'PersistentVolumeClaimSpec', 'VolumeNodeAffinity', 'Toleration'];
const INTERNAL = 'core.internal';

/** Types of the unversioned structs that JSON prints as in the API: with their own encoding, or with names of fields. */
const AS_STORED = /^(resource\.Quantity|intstr\.IntOrString|meta\.v1\.|runtime\.)/;

/** One field: `GoName=jsonName:TYPE`. TYPE is `s i b` (with a zero), `n` (null if absent), `@struct`, `[]…` or `{}…`. */
function internalField(struct: string, field: GoField, pending: string[]): string {
  const type = internalType(field.type, pending);
  if (!field.name) return `=:${type}`;
  const json = versionedField(`core.v1.${struct}`, field.name) ?? field.name[0].toLowerCase() + field.name.slice(1);
  return `${field.name}=${json}:${type}`;
}

function internalType(type: string, pending: string[]): string {
  if (type.startsWith('*')) {
    const inner = internalType(type.slice(1), pending);
    return inner.startsWith('@') ? `*${inner}` : 'n';
  }
  if (type.startsWith('[]')) return `[]${internalType(type.slice(2), pending)}`;
  const map = /^map\[[\w.]+\](.+)$/.exec(type);
  if (map) return `{}${internalType(map[1], pending)}`;
  if (type === 'resource.Quantity') return 'q';
  if (type === 'intstr.IntOrString') return 'i';
  if (AS_STORED.test(type)) return 'n';
  if (['s', 'b', 'i'].includes(SCALARS[type])) return SCALARS[type];
  const alias = aliases.get(type);
  if (alias) return internalType(alias, pending);
  if (!structs.has(type)) return 'n';
  const name = type.slice(INTERNAL.length + 1);
  pending.push(name);
  return `@${name}`;
}

/** JSON name of the same field in the API, also if it belongs to an embedded struct. */
function versionedField(struct: string, name: string): string | undefined {
  for (const field of structs.get(struct) ?? []) {
    if (field.name === name && name) return field.json;
    if (!field.json && !field.name) {
      const found = versionedField(field.type, name);
      if (found) return found;
    }
  }
  return undefined;
}

function internalTypes(): string[] {
  read(INTERNAL, 'k8s.io/kubernetes/pkg/apis/core/types.go', true);
  const pending = [...PRINTED];
  const done = new Map<string, string>();
  for (let name = pending.pop(); name; name = pending.pop()) {
    if (done.has(name)) continue;
    done.set(name, '');
    const fields = structs.get(`${INTERNAL}.${name}`)!;
    done.set(name, fields.map((field) => internalField(name, field, pending)).join(' '));
  }
  return [...done].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, text]) => `  ${name}:\n    '${text}',`);
}

for (const [pack, file] of Object.entries(FILES)) read(pack, file);
for (const name of ROOTS) notation(name);
const lines: string[] = [];
const done: Record<string, string> = {};
while (queue.length) {
  const name = queue.shift()!;
  const fields = structs.get(name)!.filter((field) => !/TypeMeta$/.test(field.type) && field.json !== '-');
  done[name] = fields.map(fieldText).join(' ');
}
for (const name of Object.keys(done).sort()) lines.push(`  '${name}':\n    '${done[name]}',`);
writeFileSync(
  join(__dirname, 'generated', 'messages.ts'),
  `// Generated by protobuf/generate.ts from the Go types of Kubernetes 1.36. Do not edit.\nexport const messages: Readonly<Record<string, string>> = {\n${lines.join('\n')}\n};\n`,
);
const names = [...structs]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .flatMap(([struct, fields]) => {
    const named = fields.flatMap(({ json, type }) => {
      const name = json && goName(type);
      return name ? [`${json}=${name}`] : [];
    });
    return named.length ? [`  '${struct}':\n    '${named.join(' ')}',`] : [];
  });
writeFileSync(
  join(__dirname, 'generated', 'go-names.ts'),
  `// Generated by protobuf/generate.ts from the Go types of Kubernetes 1.36. Do not edit.\nexport const goNames: Readonly<Record<string, string>> = {\n${names.join('\n')}\n};\n`,
);
writeFileSync(
  join(__dirname, 'generated', 'internal-types.ts'),
  `// Generated by protobuf/generate.ts from the Go types of Kubernetes 1.36. Do not edit.\nexport const internalTypes: Readonly<Record<string, string>> = {\n${internalTypes().join('\n')}\n};\n`,
);
