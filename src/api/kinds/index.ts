/** What the webhooks do with each kind: one table for virt-api, the command line and synth. */
import { describe, type Finding } from '../findings';
import type { KubeObject } from '../meta';
import { instancetypeAdmission } from './instancetype';
import { backupAdmission, backupTrackerAdmission } from './backup';
import { bounded } from './bounded';
import { cdiAdmission } from './cdi';
import { cloneAdmission } from './clone';
import { dataImportCronAdmission } from './data-import-cron';
import { dataVolumeAdmission } from './data-volume';
import { exportAdmission } from './export';
import type { AdmissionContext, KindAdmission } from './kind';
import { kubeVirtAdmission } from './kubevirt';
import { migrationAdmission } from './migration';
import { migrationPolicyAdmission } from './migration-policy';
import { objectTransferAdmission } from './object-transfer';
import { pluginAdmission } from './plugin';
import { poolAdmission } from './pool';
import { volumeImportSourceAdmission, volumeUploadSourceAdmission } from './populators';
import { replicaSetAdmission } from './replica-set';
import { restoreAdmission } from './restore';
import { snapshotAdmission } from './snapshot';
import { preferenceAdmission } from './preference';
import { presetAdmission } from './preset';
import { templateAdmission } from './template';
import { virtualMachineAdmission } from './virtual-machine';
import { virtualMachineInstanceAdmission } from './virtual-machine-instance';

export * from './kind';

/** By group and kind: `VirtualMachine.kubevirt.io`. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const rulesOfKinds: Record<string, KindAdmission<any>> = {
  'VirtualMachine.kubevirt.io': virtualMachineAdmission,
  'VirtualMachineInstance.kubevirt.io': virtualMachineInstanceAdmission,
  'VirtualMachineInstanceReplicaSet.kubevirt.io': replicaSetAdmission,
  'VirtualMachinePool.pool.kubevirt.io': poolAdmission,
  'VirtualMachineInstanceMigration.kubevirt.io': migrationAdmission,
  'MigrationPolicy.migrations.kubevirt.io': migrationPolicyAdmission,
  'VirtualMachineSnapshot.snapshot.kubevirt.io': snapshotAdmission,
  'VirtualMachineRestore.snapshot.kubevirt.io': restoreAdmission,
  'VirtualMachineClone.clone.kubevirt.io': cloneAdmission,
  'VirtualMachineExport.export.kubevirt.io': exportAdmission,
  'VirtualMachineBackup.backup.kubevirt.io': backupAdmission,
  'VirtualMachineBackupTracker.backup.kubevirt.io': backupTrackerAdmission,
  'KubeVirt.kubevirt.io': kubeVirtAdmission,
  'Plugin.plugin.kubevirt.io': pluginAdmission,
  'VirtualMachineTemplate.template.kubevirt.io': templateAdmission,
  'CDI.cdi.kubevirt.io': cdiAdmission,
  'DataVolume.cdi.kubevirt.io': dataVolumeAdmission,
  'DataImportCron.cdi.kubevirt.io': dataImportCronAdmission,
  'ObjectTransfer.cdi.kubevirt.io': objectTransferAdmission,
  'VolumeImportSource.cdi.kubevirt.io': volumeImportSourceAdmission,
  'VolumeUploadSource.cdi.kubevirt.io': volumeUploadSourceAdmission,
  'VirtualMachineInstancePreset.kubevirt.io': presetAdmission,
  'VirtualMachineInstancetype.instancetype.kubevirt.io': instancetypeAdmission,
  'VirtualMachineClusterInstancetype.instancetype.kubevirt.io': instancetypeAdmission,
  'VirtualMachinePreference.instancetype.kubevirt.io': preferenceAdmission,
  'VirtualMachineClusterPreference.instancetype.kubevirt.io': preferenceAdmission,
};

/** No object costs more than its size allows. */
const kinds: Record<string, KindAdmission> = Object.fromEntries(
  Object.entries(rulesOfKinds).map(([key, rules]) => [key, bounded(rules)]),
);

/** The rules for an object; undefined when it is none of ours. */
export function admissionOf({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): KindAdmission | undefined {
  return kinds[`${kind}.${String(apiVersion).split('/')[0]}`];
}

/** The kinds that have rules: `VirtualMachine`. */
export const kindNames = (): string[] => Object.keys(kinds).map((key) => key.slice(0, key.indexOf('.')));

/** A verdict as the webhook's answer has it. */
export interface AdmissionVerdict {
  readonly allowed: boolean;
  readonly causes: readonly { readonly type: string; readonly field: string; readonly message: string }[];
  readonly warnings: readonly string[];
}

/** An object after its webhooks. */
export interface Admitted {
  /** With every default filled in. */
  readonly object: KubeObject;
  /** Why it may not be stored. */
  readonly errors: readonly Finding[];
}

/** The object as it would be stored, and why it may not. Kinds that are none of ours pass as they are. */
export function admit(object: KubeObject, context: AdmissionContext, old?: KubeObject): Admitted {
  const rules = admissionOf(object);
  if (!rules) return { object, errors: [] };
  const stored = rules.mutate?.(object, context) ?? object;
  return { object: stored, errors: old ? (rules.update?.(stored, old, context) ?? []) : rules.create(stored, context) };
}

/** What should be written otherwise. An object of the wrong shape has greater worries. */
export function warningsOf({ object, errors }: Admitted, context: AdmissionContext, old?: KubeObject): string[] {
  if (errors.some(({ rule }) => rule.startsWith('schema-'))) return [];
  return admissionOf(object)?.warnings?.(object, context, old) ?? [];
}

/** What the webhook answers. */
export function verdictOf(admitted: Admitted, context: AdmissionContext, old?: KubeObject): AdmissionVerdict {
  const { errors } = admitted;
  return {
    allowed: errors.length === 0,
    causes: errors.map((error) => ({
      type: error.type ?? 'FieldValueInvalid',
      field: error.field ?? `${error.path}`,
      message: describe(error),
    })),
    warnings: warningsOf(admitted, context, old),
  };
}
