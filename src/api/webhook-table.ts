/** Every webhook of the platform, by KubeVirt's and CDI's own paths. The installation registers them, virt-api serves them. */

type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

/** What a webhook is asked for. */
export type WebhookStage =
  /** Defaults. */
  | 'mutate'
  /** May it be stored, or go? */
  | 'validate'
  /** May this status be written? */
  | 'validate-status'
  /** Containers that a launcher Pod gets late. */
  | 'launcher-pod'
  /** May this Pod be evicted? */
  | 'eviction';

export interface Webhook {
  readonly name: string;
  readonly path: string;
  readonly stage: WebhookStage;
  readonly group: string;
  readonly versions: readonly string[];
  readonly resources: readonly string[];
  readonly operations: readonly (Operation | '*')[];
  /** Without it, what no rule has seen is not stored. */
  readonly mayFail?: boolean;
  /** Only objects with these labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Only where this CEL expression holds. */
  readonly condition?: { readonly name: string; readonly expression: string };
  readonly again?: boolean;
}

const WRITES = ['CREATE', 'UPDATE'] as const;
const PODS = { group: '', versions: ['v1'] } as const;
const KUBEVIRT = { group: 'kubevirt.io', versions: ['v1alpha3', 'v1'] } as const;
const SNAPSHOT = { group: 'snapshot.kubevirt.io', versions: ['v1alpha1', 'v1beta1'] } as const;
const CLONE = { group: 'clone.kubevirt.io', versions: ['v1alpha1', 'v1beta1'] } as const;
const BACKUP = { group: 'backup.kubevirt.io', versions: ['v1alpha1'] } as const;
const INSTANCETYPE = { group: 'instancetype.kubevirt.io', versions: ['v1beta1'] } as const;
const CDI = { group: 'cdi.kubevirt.io', versions: ['v1beta1'] } as const;

/** Webhooks that change objects. */
export const mutatingWebhooks: readonly Webhook[] = [
  {
    name: 'virtualmachines-mutator.kubevirt.io',
    path: '/virtualmachines-mutate',
    resources: ['virtualmachines'],
    operations: WRITES,
    stage: 'mutate',
    ...KUBEVIRT,
  },
  {
    name: 'virtualmachineinstances-mutator.kubevirt.io',
    path: '/virtualmachineinstances-mutate',
    resources: ['virtualmachineinstances'],
    operations: WRITES,
    stage: 'mutate',
    ...KUBEVIRT,
  },
  {
    name: 'migrations-mutator.kubevirt.io',
    path: '/migration-mutate-create',
    resources: ['virtualmachineinstancemigrations'],
    operations: ['CREATE'],
    stage: 'mutate',
    ...KUBEVIRT,
  },
  {
    name: 'virtualmachineclones-mutator.kubevirt.io',
    path: '/vm-clone-mutate-create',
    resources: ['virtualmachineclones'],
    operations: ['CREATE'],
    stage: 'mutate',
    ...CLONE,
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
    // others may mount the path that is shared after we were asked
    again: true,
  },
];

const validating = (
  name: string,
  path: string,
  resource: string,
  of: Pick<Webhook, 'group' | 'versions'>,
  operations: readonly Operation[] = WRITES,
): Webhook => ({ name, path, stage: 'validate', resources: [resource], operations, ...of });

const eviction = (name: string, prefix: string, condition: string): Webhook => ({
  name,
  path: '/pod-eviction-validate',
  stage: 'eviction',
  resources: ['pods/eviction'],
  operations: ['*'],
  ...PODS,
  condition: { name: condition, expression: `object.metadata.name.startsWith("${prefix}")` },
});

/** The kinds of a group whose webhook is called after them: `/virtualmachinesnapshots-validate`. */
const ofKind = (resource: string, name: string, of: Pick<Webhook, 'group' | 'versions'>): Webhook =>
  validating(`${name}-validator.${of.group}`, `/${resource}-validate`, resource, of);

/** Webhooks that refuse objects. */
export const validatingWebhooks: readonly Webhook[] = [
  eviction('virt-launcher-eviction-interceptor.kubevirt.io', 'virt-launcher', 'only-vms'),
  eviction('hotplug-pod-eviction-interceptor.kubevirt.io', 'hp-volume-', 'only-hotplug-pods'),
  validating(
    'virtualmachineinstances-create-validator.kubevirt.io',
    '/virtualmachineinstances-validate-create',
    'virtualmachineinstances',
    KUBEVIRT,
    ['CREATE'],
  ),
  validating(
    'virtualmachineinstances-update-validator.kubevirt.io',
    '/virtualmachineinstances-validate-update',
    'virtualmachineinstances',
    KUBEVIRT,
    ['UPDATE'],
  ),
  validating('virtualmachine-validator.kubevirt.io', '/virtualmachines-validate', 'virtualmachines', KUBEVIRT),
  validating(
    'virtualmachinereplicaset-validator.kubevirt.io',
    '/virtualmachinereplicaset-validate',
    'virtualmachineinstancereplicasets',
    KUBEVIRT,
  ),
  validating('virtualmachinepool-validator.kubevirt.io', '/virtualmachinepool-validate', 'virtualmachinepools', {
    group: 'pool.kubevirt.io',
    versions: ['v1alpha1', 'v1beta1'],
  }),
  validating(
    'virtualmachinepreset-validator.kubevirt.io',
    '/vmipreset-validate',
    'virtualmachineinstancepresets',
    KUBEVIRT,
  ),
  validating(
    'migration-create-validator.kubevirt.io',
    '/migration-validate-create',
    'virtualmachineinstancemigrations',
    KUBEVIRT,
    ['CREATE'],
  ),
  validating(
    'migration-update-validator.kubevirt.io',
    '/migration-validate-update',
    'virtualmachineinstancemigrations',
    KUBEVIRT,
    ['UPDATE'],
  ),
  ofKind('virtualmachinesnapshots', 'virtualmachinesnapshot', SNAPSHOT),
  ofKind('virtualmachinerestores', 'virtualmachinerestore', SNAPSHOT),
  ofKind('virtualmachinebackups', 'virtualmachinebackup', BACKUP),
  ofKind('virtualmachinebackuptrackers', 'virtualmachinebackuptracker', BACKUP),
  ofKind('virtualmachineexports', 'virtualmachineexport', {
    group: 'export.kubevirt.io',
    versions: ['v1beta1', 'v1'],
  }),
  ofKind('virtualmachineinstancetypes', 'virtualmachineinstancetype', INSTANCETYPE),
  ofKind('virtualmachineclusterinstancetypes', 'virtualmachineclusterinstancetype', INSTANCETYPE),
  ofKind('virtualmachinepreferences', 'virtualmachinepreference', INSTANCETYPE),
  ofKind('virtualmachineclusterpreferences', 'virtualmachineclusterpreference', INSTANCETYPE),
  {
    name: 'kubevirt-crd-status-validator.kubevirt.io',
    path: '/status-validate',
    stage: 'validate-status',
    resources: [
      'virtualmachines/status',
      'virtualmachineinstancereplicasets/status',
      'virtualmachineinstancemigrations/status',
    ],
    operations: WRITES,
    ...KUBEVIRT,
  },
  validating('migration-policy-validator.kubevirt.io', '/migration-policy-validate-create', 'migrationpolicies', {
    group: 'migrations.kubevirt.io',
    versions: ['v1alpha1'],
  }),
  validating('vm-clone-validator.kubevirt.io', '/vm-clone-validate-create', 'virtualmachineclones', CLONE),
  validating('plugin-validator.plugin.kubevirt.io', '/plugin-validate', 'plugins', {
    group: 'plugin.kubevirt.io',
    versions: ['v1alpha1'],
  }),
  validating(
    'virtualmachinetemplate-validator.template.kubevirt.io',
    '/validate-template-kubevirt-io-v1beta1-virtualmachinetemplate',
    'virtualmachinetemplates',
    { group: 'template.kubevirt.io', versions: ['v1alpha1', 'v1beta1'] },
  ),
  validating('kubevirt-validator.kubevirt.io', '/kubevirt-validate-delete', 'kubevirts', KUBEVIRT, ['DELETE']),
  validating('kubevirt-update-validator.kubevirt.io', '/kubevirt-validate-update', 'kubevirts', KUBEVIRT, ['UPDATE']),
  validating('kubevirt-create-validator.kubevirt.io', '/kubevirt-validate-create', 'kubevirts', KUBEVIRT, ['CREATE']),
  validating('datavolume-validate.cdi.kubevirt.io', '/datavolume-validate', 'datavolumes', CDI),
  validating('dataimportcron-validate.cdi.kubevirt.io', '/dataimportcron-validate', 'dataimportcrons', CDI),
  {
    ...validating('populator-validate.cdi.kubevirt.io', '/populator-validate', 'volumeimportsources', CDI),
    resources: ['volumeimportsources', 'volumeuploadsources'],
  },
  validating('objecttransfer-validate.cdi.kubevirt.io', '/objecttransfer-validate', 'objecttransfers', CDI),
  validating('cdi-validate.cdi.kubevirt.io', '/cdi-validate', 'cdis', { ...CDI, versions: ['v1alpha1', 'v1beta1'] }, [
    'DELETE',
  ]),
];
