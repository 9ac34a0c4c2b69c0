/**
 * References of an object to others, by name or by labels. Pure, and for objects of any shape: a field of the wrong
 * type is not a reference.
 */
import { type Path, root } from './findings';
import { keys } from './keys';
import { byKey, GUEST_TEMPLATES, type KindName } from './kinds/registry';
import type { KubeObject } from './meta';
import { isObject, type Json, read } from './lint/read';

/** Reference to another object in a field. */
export interface Reference {
  /** Path of the field. */
  readonly path: Path;
  /** API group; empty for Kubernetes' core. */
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  /** Undefined: the namespace of the referring object, or a cluster-scoped kind. */
  readonly namespace?: string;
  /** Whether the referring object creates the other one when it does not exist. */
  readonly isMade?: boolean;
}

/** Objects that a selector matches. */
export interface Selection {
  readonly path: Path;
  /** Kind of the selected objects: Pods (also of VMs) in the object's namespace, or VMIs in all namespaces. */
  readonly of: 'Pod' | 'VirtualMachineInstance';
  readonly matches: (labels: Readonly<Record<string, string>>) => boolean;
}

type Named = Omit<Reference, 'path'>;
/** Kind (`Secret`, `VirtualMachine.kubevirt.io`) when the field is a name; otherwise a function that reads the field's object. */
type Target = string | ((value: unknown) => Named | undefined);
/** Field -> target; `[]` stands for each item of a list. */
type Table = Readonly<Record<string, Target>>;

const CLAIM = 'PersistentVolumeClaim';
const NAD = 'NetworkAttachmentDefinition.k8s.cni.cncf.io';
const DATA_VOLUME = 'DataVolume.cdi.kubevirt.io';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function target(key: string, name: unknown, namespace?: unknown): Named | undefined {
  const text = textOf(name);
  if (text === undefined) return undefined;
  const dot = key.indexOf('.');
  const [kind, group] = dot < 0 ? [key, ''] : [key.slice(0, dot), key.slice(dot + 1)];
  return { kind, group, name: text, namespace: textOf(namespace) };
}

/** `{ name, namespace }` */
const placed = (key: string) => (value: unknown) =>
  isObject(value) ? target(key, value.name, value.namespace) : undefined;

/** `{ apiGroup, kind, name }`, and `{ apiVersion, kind, name }`. */
function typed(value: unknown): Named | undefined {
  if (!isObject(value)) return undefined;
  const group = textOf(value.apiGroup) ?? (textOf(value.apiVersion)?.includes('/') ? textOf(value.apiVersion) : '');
  const kind = textOf(value.kind);
  return kind === undefined ? undefined : target(`${kind}.${group?.split('/')[0] ?? ''}`, value.name, value.namespace);
}

const made =
  (inner: (value: unknown) => Named | undefined) =>
  (value: unknown): Named | undefined => {
    const found = inner(value);
    return found && { ...found, isMade: true };
  };

const matcher = (kind: string) => (value: unknown) => {
  if (!isObject(value)) return undefined;
  const short = textOf(value.kind)?.toLowerCase() ?? '';
  const known = [`VirtualMachine${kind}`, `VirtualMachineCluster${kind}`];
  const found = known.find((each) => short === each.toLowerCase() || short === `${each.toLowerCase()}s`) ?? known[1];
  return target(`${found}.instancetype.kubevirt.io`, value.name);
};

/** `namespace/name` of Multus, or a name alone. */
function multus(value: unknown): Named | undefined {
  const [first, second] = (textOf(value) ?? '').split('/');
  return second === undefined ? target(NAD, first) : target(NAD, second, first);
}

/** Fields of a claim. */
const claim: Table = {
  storageClassName: 'StorageClass.storage.k8s.io',
  dataSource: typed,
  dataSourceRef: typed,
};

const dataVolume: Table = {
  'source.pvc': placed(CLAIM),
  'source.snapshot': placed('VolumeSnapshot.snapshot.storage.k8s.io'),
  ...Object.fromEntries(
    ['http', 's3', 'gcs', 'registry', 'imageio', 'vddk'].flatMap((source) => [
      [`source.${source}.secretRef`, 'Secret'],
      [`source.${source}.certConfigMap`, 'ConfigMap'],
    ]),
  ),
  'source.http.secretExtraHeaders[]': 'Secret',
  sourceRef: (value) =>
    isObject(value)
      ? target(`${textOf(value.kind) ?? 'DataSource'}.cdi.kubevirt.io`, value.name, value.namespace)
      : undefined,
  ...under('storage', claim),
  ...under('pvc', claim),
};

/** Volumes with the same fields in VMs and Pods. */
const volume: Table = {
  'persistentVolumeClaim.claimName': CLAIM,
  'configMap.name': 'ConfigMap',
  'secret.secretName': 'Secret',
};

const instance: Table = {
  ...under('volumes[]', {
    ...volume,
    'dataVolume.name': DATA_VOLUME,
    'ephemeral.persistentVolumeClaim.claimName': CLAIM,
    'memoryDump.claimName': CLAIM,
    'serviceAccount.serviceAccountName': 'ServiceAccount',
    'containerDisk.imagePullSecret': 'Secret',
    'cloudInitNoCloud.secretRef.name': 'Secret',
    'cloudInitNoCloud.networkDataSecretRef.name': 'Secret',
    'cloudInitConfigDrive.secretRef.name': 'Secret',
    'cloudInitConfigDrive.networkDataSecretRef.name': 'Secret',
    'sysprep.secret.name': 'Secret',
    'sysprep.configMap.name': 'ConfigMap',
  }),
  'utilityVolumes[].claimName': CLAIM,
  'networks[].multus.networkName': multus,
  'accessCredentials[].sshPublicKey.source.secret.secretName': 'Secret',
  'accessCredentials[].userPassword.source.secret.secretName': 'Secret',
  'domain.firmware.kernelBoot.container.imagePullSecret': 'Secret',
  'resourceClaims[].resourceClaimName': 'ResourceClaim.resource.k8s.io',
  'resourceClaims[].resourceClaimTemplateName': 'ResourceClaimTemplate.resource.k8s.io',
  priorityClassName: 'PriorityClass.scheduling.k8s.io',
};

const machine: Table = {
  instancetype: matcher('Instancetype'),
  preference: matcher('Preference'),
  'dataVolumeTemplates[].metadata': made(placed(DATA_VOLUME)),
  ...under('dataVolumeTemplates[].spec', dataVolume),
  ...under('template.spec', instance),
};

const pod: Table = {
  ...under('volumes[]', volume),
  ...Object.fromEntries(
    ['containers', 'initContainers'].flatMap((list) => [
      [`${list}[].envFrom[].configMapRef.name`, 'ConfigMap'],
      [`${list}[].envFrom[].secretRef.name`, 'Secret'],
      [`${list}[].env[].valueFrom.configMapKeyRef.name`, 'ConfigMap'],
      [`${list}[].env[].valueFrom.secretKeyRef.name`, 'Secret'],
    ]),
  ),
  'imagePullSecrets[].name': 'Secret',
  serviceAccountName: 'ServiceAccount',
  priorityClassName: 'PriorityClass.scheduling.k8s.io',
};

const importSource: Table = { ...under('spec', dataVolume), 'spec.targetClaim': CLAIM };
/** Table of a kind without references. */
const NONE: Table = {};
const workload: Table = under('spec.template.spec', pod);
const binding: Table = { roleRef: typed, 'subjects[]': typed };

/** Fields of each kind that refer to other objects. */
const ofKinds: Readonly<Record<KindName, Table>> = {
  CDI: NONE,
  CDIConfig: NONE,
  DataImportCron: {
    'spec.managedDataSource': (value) => made(() => target('DataSource.cdi.kubevirt.io', value))(value),
    'spec.serviceAccountName': 'ServiceAccount',
    ...under('spec.template.spec', dataVolume),
  },
  DataSource: {
    'spec.source.pvc': placed(CLAIM),
    'spec.source.snapshot': placed('VolumeSnapshot.snapshot.storage.k8s.io'),
    'spec.source.dataSource': placed('DataSource.cdi.kubevirt.io'),
  },
  DataVolume: under('spec', dataVolume),
  KubeVirt: NONE,
  MigrationPolicy: NONE,
  ObjectTransfer: NONE,
  OpenstackVolumePopulator: NONE,
  OvirtVolumePopulator: NONE,
  Plugin: NONE,
  StorageProfile: NONE,
  UploadTokenRequest: NONE,
  VirtualMachine: under('spec', machine),
  VirtualMachineBackup: {
    'spec.source': typed,
    'spec.pvcName': CLAIM,
    'spec.tokenSecretRef': 'Secret',
  },
  VirtualMachineBackupTracker: { 'spec.source': typed },
  VirtualMachineClone: { 'spec.source': typed, 'spec.target': made(typed) },
  VirtualMachineClusterInstancetype: NONE,
  VirtualMachineClusterPreference: NONE,
  VirtualMachineExport: { 'spec.source': typed, 'spec.tokenSecretRef': 'Secret' },
  VirtualMachineInstance: under('spec', instance),
  VirtualMachineInstanceMigration: { 'spec.vmiName': 'VirtualMachineInstance.kubevirt.io' },
  VirtualMachineInstancePreset: NONE,
  VirtualMachineInstanceReplicaSet: under('spec.template.spec', instance),
  VirtualMachineInstancetype: NONE,
  VirtualMachinePool: under('spec.virtualMachineTemplate.spec', machine),
  VirtualMachinePreference: NONE,
  VirtualMachineRestore: {
    'spec.target': made(typed),
    'spec.virtualMachineSnapshotName': 'VirtualMachineSnapshot.snapshot.kubevirt.io',
  },
  VirtualMachineSnapshot: { 'spec.source': typed },
  VirtualMachineSnapshotContent: NONE,
  VirtualMachineTemplate: NONE,
  VirtualMachineTemplateRequest: NONE,
  VolumeCloneSource: { 'spec.source': typed },
  VolumeImportSource: importSource,
  VolumeUploadSource: NONE,
};

/** Tables by kind and group: of the platform, of Kubernetes and of add-ons. */
const tables: Readonly<Record<string, Table>> = {
  ...byKey(ofKinds),
  'VolumeSnapshot.snapshot.storage.k8s.io': {
    'spec.source.persistentVolumeClaimName': CLAIM,
    'spec.volumeSnapshotClassName': 'VolumeSnapshotClass.snapshot.storage.k8s.io',
  },
  PersistentVolumeClaim: under('spec', { ...claim, volumeName: 'PersistentVolume' }),
  Pod: under('spec', pod),
  'Deployment.apps': workload,
  'StatefulSet.apps': workload,
  'DaemonSet.apps': workload,
  'ReplicaSet.apps': workload,
  'Job.batch': workload,
  'CronJob.batch': under('spec.jobTemplate.spec.template.spec', pod),
  'Ingress.networking.k8s.io': {
    'spec.defaultBackend.service.name': 'Service',
    'spec.rules[].http.paths[].backend.service.name': 'Service',
    'spec.tls[].secretName': 'Secret',
    'spec.ingressClassName': 'IngressClass.networking.k8s.io',
  },
  'HorizontalPodAutoscaler.autoscaling': { 'spec.scaleTargetRef': typed },
  'RoleBinding.rbac.authorization.k8s.io': binding,
  'ClusterRoleBinding.rbac.authorization.k8s.io': binding,
};

/** `VirtualMachine.kubevirt.io`, `Secret`: a kind with its group. */
export function kindKey(apiVersion: string, kind: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? kind : `${kind}.${apiVersion.slice(0, slash)}`;
}

/** Field of a table. The fields of a table form a tree, so that one walk over an object reads them all. */
interface Field {
  readonly isList: boolean;
  /** What the field, or each item of the list, refers to. */
  target?: Target;
  readonly fields: Fields;
}
type Fields = Map<string, Field>;

const trees = new Map(Object.entries(tables).map(([key, table]) => [key, treeOf(table)]));

function treeOf(table: Table): Fields {
  const tree: Fields = new Map();
  for (const [path, to] of Object.entries(table)) {
    let field: Field | undefined;
    for (const part of path.split('.')) {
      const isList = part.endsWith('[]');
      const name = isList ? part.slice(0, -2) : part;
      const fields: Fields = field?.fields ?? tree;
      field = fields.get(name) ?? { isList, fields: new Map() };
      fields.set(name, field);
    }
    if (field) field.target = to;
  }
  return tree;
}

/** Returns the references of an object, in the order of its fields. Objects of unknown kinds have none. */
export function referencesOf(object: KubeObject): Reference[] {
  const found: Reference[] = [];
  const fields = trees.get(kindKey(String(object.apiVersion), String(object.kind)));
  if (fields) collect(object as unknown as Json, fields, [], found);
  return found;
}

/** @param at field names and indexes down to the object; the callee adds and removes its own */
function collect(object: Json, fields: Fields, at: (string | number)[], found: Reference[]): void {
  for (const name of Object.keys(object)) {
    const field = fields.get(name);
    const value = object[name];
    if (!field || value === undefined || value === null) continue;
    at.push(name);
    if (!field.isList) collectFrom(value, field, at, found);
    else if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        at.push(i);
        collectFrom(value[i], field, at, found);
        at.pop();
      }
    }
    at.pop();
  }
}

function collectFrom(value: unknown, field: Field, at: (string | number)[], found: Reference[]): void {
  const { target: to, fields } = field;
  const named = typeof to === 'string' ? target(to, value) : to?.(value);
  if (named) found.push({ ...named, path: root.at(...at) });
  if (fields.size > 0 && isObject(value)) collect(value, fields, at, found);
}

/** Returns the selectors of an object. */
export function selectionsOf(object: KubeObject): Selection[] {
  const { spec } = object as KubeObject & { spec?: Json };
  if (!isObject(spec)) return [];
  const at = (...parts: string[]): Path => root.at('spec', ...parts);
  switch (kindKey(String(object.apiVersion), object.kind)) {
    case 'Service':
      return isObject(spec.selector) && Object.keys(spec.selector).length > 0
        ? [{ path: at('selector'), of: 'Pod', matches: byLabels({ matchLabels: spec.selector }) }]
        : [];
    case 'NetworkPolicy.networking.k8s.io':
      return [{ path: at('podSelector'), of: 'Pod', matches: byLabels(spec.podSelector) }];
    case 'PodDisruptionBudget.policy':
      return [{ path: at('selector'), of: 'Pod', matches: byLabels(spec.selector) }];
    case 'MigrationPolicy.migrations.kubevirt.io': {
      const matchLabels = isObject(spec.selectors) ? spec.selectors.virtualMachineInstanceSelector : undefined;
      const path = at('selectors', 'virtualMachineInstanceSelector');
      return isObject(matchLabels) ? [{ path, of: 'VirtualMachineInstance', matches: byLabels({ matchLabels }) }] : [];
    }
    default:
      return [];
  }
}

/** Path of the template in each kind that creates Pods or guests; empty for a kind that is one itself. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  ...byKey<readonly string[]>(GUEST_TEMPLATES),
  Pod: [],
  'Deployment.apps': ['spec', 'template'],
  'StatefulSet.apps': ['spec', 'template'],
  'DaemonSet.apps': ['spec', 'template'],
  'Job.batch': ['spec', 'template'],
};

/** Returns the labels of the Pods that an object creates; undefined when it creates none. */
export function selectableLabels(object: KubeObject): Readonly<Record<string, string>> | undefined {
  const key = kindKey(String(object.apiVersion), object.kind);
  const template = TEMPLATES[key];
  if (template === undefined) return undefined;
  const labels = read(object, ...template, 'metadata', 'labels');
  const own: Record<string, string> =
    key === 'VirtualMachine.kubevirt.io' ? { [keys.vmName]: object.metadata?.name ?? '' } : {};
  return { ...own, ...(isObject(labels) ? (labels as Record<string, string>) : {}) };
}

/** Returns the predicate of a LabelSelector; an empty one matches everything. */
function byLabels(selector: unknown): Selection['matches'] {
  const { matchLabels, matchExpressions } = (isObject(selector) ? selector : {}) as {
    matchLabels?: Record<string, string>;
    matchExpressions?: { key: string; operator: string; values?: string[] }[];
  };
  return (labels) =>
    Object.entries(matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
    (matchExpressions ?? []).every(({ key, operator, values = [] }) => {
      const has = Object.hasOwn(labels, key);
      if (operator === 'Exists') return has;
      if (operator === 'DoesNotExist') return !has;
      return operator === 'In' ? has && values.includes(labels[key]) : !has || !values.includes(labels[key]);
    });
}

function under(prefix: string, table: Table): Table {
  return Object.fromEntries(Object.entries(table).map(([field, to]) => [`${prefix}.${field}`, to]));
}
