/** Every webhook of the platform, by KubeVirt's and CDI's own paths. The installation registers them, virt-api serves them. */

import { type Collection, collections, kindFacts, type KindName } from './kinds/registry';

type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

/** Purpose of a webhook. */
export type WebhookStage =
  /** Sets defaults. */
  | 'mutate'
  /** Validates creation, update or deletion. */
  | 'validate'
  /** Validates a status. */
  | 'validate-status'
  /** Proves that the author of a DataVolume may copy its source. */
  | 'clone-token'
  /** Adds containers to a launcher Pod. */
  | 'launcher-pod'
  /** Validates the eviction of a Pod. */
  | 'eviction';

export interface Webhook {
  readonly name: string;
  readonly path: string;
  readonly stage: WebhookStage;
  readonly group: string;
  readonly versions: readonly string[];
  readonly resources: readonly string[];
  readonly operations: readonly (Operation | '*')[];
  /** Whether objects may be stored when the webhook fails. */
  readonly mayFail?: boolean;
  /** Only objects with these labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Only objects that match this CEL expression. */
  readonly condition?: { readonly name: string; readonly expression: string };
  readonly again?: boolean;
}

const WRITES = ['CREATE', 'UPDATE'] as const;
const PODS = { group: '', versions: ['v1'] } as const;
/** Group, versions and collections of kinds of one group. */
const of = (...targets: [Collection, ...Collection[]]): Pick<Webhook, 'group' | 'versions' | 'resources'> => ({
  ...collections(...targets),
  versions: kindFacts[targets[0].split('/')[0] as KindName].versions,
});

/** Webhooks that change objects. */
export const mutatingWebhooks: readonly Webhook[] = [
  {
    name: 'virtualmachines-mutator.kubevirt.io',
    path: '/virtualmachines-mutate',
    ...of('VirtualMachine'),
    operations: WRITES,
    stage: 'mutate',
  },
  {
    name: 'virtualmachineinstances-mutator.kubevirt.io',
    path: '/virtualmachineinstances-mutate',
    ...of('VirtualMachineInstance'),
    operations: WRITES,
    stage: 'mutate',
  },
  {
    name: 'migrations-mutator.kubevirt.io',
    path: '/migration-mutate-create',
    ...of('VirtualMachineInstanceMigration'),
    operations: ['CREATE'],
    stage: 'mutate',
  },
  {
    name: 'virtualmachineclones-mutator.kubevirt.io',
    path: '/vm-clone-mutate-create',
    ...of('VirtualMachineClone'),
    operations: ['CREATE'],
    stage: 'mutate',
  },
  {
    name: 'datavolume-mutate.cdi.kubevirt.io',
    path: '/datavolume-mutate',
    ...of('DataVolume'),
    operations: ['CREATE'],
    stage: 'clone-token',
  },
  {
    name: 'virt-launcher-pod-mutator.kubevirt.io',
    path: '/virt-launcher-pod-mutate',
    resources: ['pods'],
    operations: ['CREATE'],
    stage: 'launcher-pod',
    ...PODS,
    mayFail: true,
    labels: { 'kubevirt.io': 'virt-launcher' },
    // another webhook may mount the shared path later
    again: true,
  },
];

const validating = (
  name: string,
  path: string,
  kind: KindName,
  operations: readonly Operation[] = WRITES,
): Webhook => ({ name, path, stage: 'validate', ...of(kind), operations });

const eviction = (name: string, prefix: string, condition: string): Webhook => ({
  name,
  path: '/pod-eviction-validate',
  stage: 'eviction',
  resources: ['pods/eviction'],
  operations: ['*'],
  ...PODS,
  condition: { name: condition, expression: `object.metadata.name.startsWith("${prefix}")` },
});

/** Webhook of a kind with the kind's name in its path: `/virtualmachinesnapshots-validate`. */
function ofKind(kind: KindName): Webhook {
  const { group, plural, singular } = kindFacts[kind];
  return validating(`${singular}-validator.${group}`, `/${plural}-validate`, kind);
}

/** Webhooks that validate objects. */
export const validatingWebhooks: readonly Webhook[] = [
  eviction('virt-launcher-eviction-interceptor.kubevirt.io', 'virt-launcher', 'only-vms'),
  eviction('hotplug-pod-eviction-interceptor.kubevirt.io', 'hp-volume-', 'only-hotplug-pods'),
  validating(
    'virtualmachineinstances-create-validator.kubevirt.io',
    '/virtualmachineinstances-validate-create',
    'VirtualMachineInstance',
    ['CREATE'],
  ),
  validating(
    'virtualmachineinstances-update-validator.kubevirt.io',
    '/virtualmachineinstances-validate-update',
    'VirtualMachineInstance',
    ['UPDATE'],
  ),
  validating('virtualmachine-validator.kubevirt.io', '/virtualmachines-validate', 'VirtualMachine'),
  validating(
    'virtualmachinereplicaset-validator.kubevirt.io',
    '/virtualmachinereplicaset-validate',
    'VirtualMachineInstanceReplicaSet',
  ),
  validating('virtualmachinepool-validator.kubevirt.io', '/virtualmachinepool-validate', 'VirtualMachinePool'),
  validating('virtualmachinepreset-validator.kubevirt.io', '/vmipreset-validate', 'VirtualMachineInstancePreset'),
  validating(
    'migration-create-validator.kubevirt.io',
    '/migration-validate-create',
    'VirtualMachineInstanceMigration',
    ['CREATE'],
  ),
  validating(
    'migration-update-validator.kubevirt.io',
    '/migration-validate-update',
    'VirtualMachineInstanceMigration',
    ['UPDATE'],
  ),
  ofKind('VirtualMachineSnapshot'),
  ofKind('VirtualMachineRestore'),
  ofKind('VirtualMachineBackup'),
  ofKind('VirtualMachineBackupTracker'),
  ofKind('VirtualMachineExport'),
  ofKind('VirtualMachineInstancetype'),
  ofKind('VirtualMachineClusterInstancetype'),
  ofKind('VirtualMachinePreference'),
  ofKind('VirtualMachineClusterPreference'),
  {
    name: 'kubevirt-crd-status-validator.kubevirt.io',
    path: '/status-validate',
    stage: 'validate-status',
    ...of('VirtualMachine/status', 'VirtualMachineInstanceReplicaSet/status', 'VirtualMachineInstanceMigration/status'),
    operations: WRITES,
  },
  validating('migration-policy-validator.kubevirt.io', '/migration-policy-validate-create', 'MigrationPolicy'),
  validating('vm-clone-validator.kubevirt.io', '/vm-clone-validate-create', 'VirtualMachineClone'),
  validating('plugin-validator.plugin.kubevirt.io', '/plugin-validate', 'Plugin'),
  validating(
    'virtualmachinetemplate-validator.template.kubevirt.io',
    '/validate-template-kubevirt-io-v1beta1-virtualmachinetemplate',
    'VirtualMachineTemplate',
  ),
  validating('kubevirt-validator.kubevirt.io', '/kubevirt-validate-delete', 'KubeVirt', ['DELETE']),
  validating('kubevirt-update-validator.kubevirt.io', '/kubevirt-validate-update', 'KubeVirt', ['UPDATE']),
  validating('kubevirt-create-validator.kubevirt.io', '/kubevirt-validate-create', 'KubeVirt', ['CREATE']),
  validating('datavolume-validate.cdi.kubevirt.io', '/datavolume-validate', 'DataVolume'),
  validating('dataimportcron-validate.cdi.kubevirt.io', '/dataimportcron-validate', 'DataImportCron'),
  {
    ...validating('populator-validate.cdi.kubevirt.io', '/populator-validate', 'VolumeImportSource'),
    ...of('VolumeImportSource', 'VolumeUploadSource'),
  },
  validating('objecttransfer-validate.cdi.kubevirt.io', '/objecttransfer-validate', 'ObjectTransfer'),
  validating('cdi-validate.cdi.kubevirt.io', '/cdi-validate', 'CDI', ['DELETE']),
];
