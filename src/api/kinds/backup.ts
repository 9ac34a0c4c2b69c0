import type { ClusterConfig } from '../cluster-config';
import { Finding, root } from '../findings';
import type { VirtualMachineBackup, VirtualMachineBackupTracker } from '../generated/backup-v1alpha1';
import type { AdmissionContext, KindAdmission } from './kind';
import { first, refusal, when } from './refusal';
import { semanticDeepEqual, shaped } from './shape';

const source = root.at('spec', 'source');

export const backupAdmission: KindAdmission<VirtualMachineBackup> = shaped(
  {
    // the platform backs up running guests for their snapshots, and waits for other backups
    create: (backup, context) =>
      context.by.trusted
        ? []
        : first(
            () => gate(context.config),
            () => onlyOne(backup, context),
          ),
  },
  'lenient',
);

export const backupTrackerAdmission: KindAdmission<VirtualMachineBackupTracker> = shaped(
  {
    create: (_tracker, { config }) => gate(config),
  },
  'lenient',
);

function gate(config: ClusterConfig): Finding[] {
  return when(
    !config.hasGate('IncrementalBackup'),
    refusal(
      'gate-incremental-backup',
      root,
      'IncrementalBackup feature gate not enabled',
      'add IncrementalBackup to spec.configuration.developerConfiguration.featureGates of the KubeVirt object',
      { field: '', gates: ['IncrementalBackup'] },
    ),
  );
}

/** A source can have one backup at a time. */
function onlyOne(backup: VirtualMachineBackup, { list }: AdmissionContext): Finding[] {
  const others = list('VirtualMachineBackup', backup.metadata.namespace) as readonly VirtualMachineBackup[];
  for (const other of others) {
    const { name } = other.metadata;
    if (semanticDeepEqual(other, backup)) continue;
    if (name === backup.metadata.name) {
      return [
        refusal(
          'backup-name',
          root.at('metadata', 'name'),
          `VirtualMachineBackup "${name}" already exists`,
          'choose another name',
          { value: name },
        ),
      ];
    }
    const over = other.status?.conditions?.some(
      ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
    );
    if (!over && semanticDeepEqual(other.spec?.source, backup.spec.source)) {
      return [
        refusal(
          'backup-in-progress',
          source,
          `VirtualMachineBackup "${name}" in progress for source`,
          `wait for ${name}, or delete it`,
          { value: backup.spec.source?.name },
        ),
      ];
    }
  }
  return [];
}
