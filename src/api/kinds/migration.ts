import { Finding, root } from '../findings';
import { keys } from '../keys';
import type { VirtualMachineInstance, VirtualMachineInstanceMigration } from '../generated/kubevirt-v1';
import { isLabelValue } from '../names';
import type { AdmissionContext, KindAdmission } from './kind';
import { first, refusal, when } from './refusal';
import { shaped } from './shape';

/** Label of a migration: name of its VMI. */
export const MIGRATION_SELECTOR_LABEL = keys.migrationVmi;
/** Finalizer that keeps a migration until its controller has cleaned up. */
export const MIGRATION_FINALIZER = keys.migrationFinalizer;

const spec = root.at('spec');
const labels = root.at('metadata', 'labels', MIGRATION_SELECTOR_LABEL);

const rules: KindAdmission<VirtualMachineInstanceMigration> = shaped(
  {
    mutate(migration) {
      const { metadata } = migration;
      const finalizers = metadata.finalizers ?? [];
      return {
        ...migration,
        metadata: {
          ...metadata,
          labels: { ...metadata.labels, [MIGRATION_SELECTOR_LABEL]: migration.spec.vmiName ?? '' },
          finalizers: finalizers.includes(MIGRATION_FINALIZER) ? finalizers : [...finalizers, MIGRATION_FINALIZER],
        },
      };
    },
    create: (migration, context) =>
      first(
        () => namesInstance(migration),
        () => priorityIsTheirs(migration, context),
        () => instanceCanMove(migration, context),
        () => noOtherMoves(migration, context),
        () => decentralized(migration, context),
      ),
    update: () => [
      refusal(
        'migration-immutable',
        spec,
        "update of Migration object's spec is restricted",
        'delete this migration and create another',
        { type: 'FieldValueNotSupported', field: '' },
      ),
    ],
  },
  'strict',
);

export const migrationAdmission: KindAdmission<VirtualMachineInstanceMigration> = {
  ...rules,
  update: (migration, old, context) =>
    first(
      () => rules.update?.(migration, old, context) ?? [],
      () => keepsSelector(migration, old),
    ),
  identity: keepsSelector,
};

function namesInstance({ spec: { vmiName } }: VirtualMachineInstanceMigration): Finding[] {
  return when(
    !vmiName,
    refusal('migration-target', spec.at('vmiName'), 'vmiName is missing', 'write the name of the VMI to migrate', {
      type: 'FieldValueRequired',
    }),
  );
}

function priorityIsTheirs(migration: VirtualMachineInstanceMigration, { by }: AdmissionContext): Finding[] {
  const { priority } = migration.spec;
  const controller = by.trusted && (by.username?.endsWith('kubevirt-controller') ?? true);
  return when(
    priority !== undefined && !controller,
    refusal(
      'migration-priority',
      spec.at('priority'),
      'Migration priority queue, only virt-controller is allowed to set priority field',
      'remove priority',
      { type: 'FieldValueForbidden', field: 'spec.migrationPriority', value: priority },
    ),
  );
}

function instanceCanMove(migration: VirtualMachineInstanceMigration, { find }: AdmissionContext): Finding[] {
  const { namespace } = migration.metadata;
  const { vmiName = '', sendTo, receive } = migration.spec;
  const at = spec.at('vmiName');
  const vmi = find('VirtualMachineInstance', namespace, vmiName) as VirtualMachineInstance | undefined;
  if (!vmi) {
    return [
      refusal(
        'migration-instance',
        at,
        `the VMI "${namespace}/${vmiName}" does not exist`,
        'write the name of a VMI in this namespace',
        { value: vmiName, field: '' },
      ),
    ];
  }
  if (['Failed', 'Succeeded'].includes(vmi.status?.phase ?? '')) {
    return [
      refusal('migration-finalized', at, 'Cannot migrate VMI in finalized state.', 'write the name of a running VMI', {
        value: vmiName,
        field: '',
      }),
    ];
  }
  // for another cluster or namespace, disks that cannot be shared are copied
  const apart = (sendTo === undefined) !== (receive === undefined);
  const obstacle = (vmi.status?.conditions ?? []).find(
    ({ type, status, reason }) =>
      type === 'LiveMigratable' && status === 'False' && !(apart && reason === 'DisksNotLiveMigratable'),
  );
  return when(
    obstacle,
    refusal(
      'migration-possible',
      at,
      `Cannot migrate VMI, Reason: ${obstacle?.reason ?? ''}, Message: ${obstacle?.message ?? ''}`,
      'remove that obstacle from the VM and restart it',
      { value: vmiName, field: '' },
    ),
  );
}

function noOtherMoves(migration: VirtualMachineInstanceMigration, { list }: AdmissionContext): Finding[] {
  const { vmiName = '' } = migration.spec;
  // a text that is not a valid label value selects no migration
  if (!isLabelValue(vmiName)) return [];
  const others = list('VirtualMachineInstanceMigration', migration.metadata.namespace, {
    labelSelector: `${MIGRATION_SELECTOR_LABEL}=${vmiName}`,
  }) as readonly VirtualMachineInstanceMigration[];
  const running = others.find(
    ({ metadata, status }) =>
      metadata.name !== migration.metadata.name &&
      metadata.labels?.[MIGRATION_SELECTOR_LABEL] === vmiName &&
      !['Succeeded', 'Failed'].includes(status?.phase ?? ''),
  );
  return when(
    running,
    refusal(
      'migration-in-flight',
      spec.at('vmiName'),
      `in-flight migration detected. Active migration job (${running?.metadata.uid ?? ''}) is currently already in ` +
        `progress for VMI ${vmiName}.`,
      `wait for ${running?.metadata.name}, or delete it`,
      { value: vmiName, field: '' },
    ),
  );
}

function decentralized(migration: VirtualMachineInstanceMigration, { config }: AdmissionContext): Finding[] {
  const { sendTo, receive } = migration.spec;
  if (!sendTo && !receive) return [];
  if (!config.hasGate('DecentralizedLiveMigration')) {
    return [
      refusal(
        'gate-decentralized-live-migration',
        spec.at(sendTo ? 'sendTo' : 'receive'),
        'DecentralizedLiveMigration feature gate is not enabled in kubevirt resource',
        'remove it from disabledFeatureGates of the KubeVirt object, or remove this field',
        { type: 'FieldValueNotSupported', field: '' },
      ),
    ];
  }
  return when(
    sendTo && receive && sendTo.migrationID !== receive.migrationID,
    refusal(
      'migration-id',
      spec.at('receive', 'migrationID'),
      `sendTo migrationID ${sendTo?.migrationID} does not match receive migrationID ${receive?.migrationID}`,
      'write the same ID in both',
      { value: receive?.migrationID, field: '' },
    ),
  );
}

/** The label must not change while the migration runs: controllers find migrations by it. */
function keepsSelector(migration: VirtualMachineInstanceMigration, old: VirtualMachineInstanceMigration): Finding[] {
  const was = old.metadata?.labels?.[MIGRATION_SELECTOR_LABEL];
  const now = migration.metadata?.labels?.[MIGRATION_SELECTOR_LABEL];
  const over = ['Succeeded', 'Failed'].includes(migration.status?.phase ?? '');
  if (over || was === undefined || now === was) return [];
  const verb = migration.metadata?.labels ? 'modified on' : 'removed from';
  return [
    refusal('migration-label', labels, `selector label can't be ${verb} an in-flight migration`, `keep it ${was}`, {
      type: 'FieldValueNotSupported',
      field: '',
      value: now,
    }),
  ];
}
