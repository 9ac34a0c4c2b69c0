/** Webhook rules of each kind: one table for virt-api, the command line and synth. */
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
import { allKinds, type KindName, kindOf } from './registry';
import { replicaSetAdmission } from './replica-set';
import { restoreAdmission } from './restore';
import { snapshotAdmission } from './snapshot';
import { preferenceAdmission } from './preference';
import { presetAdmission } from './preset';
import { templateAdmission } from './template';
import { virtualMachineAdmission } from './virtual-machine';
import { virtualMachineInstanceAdmission } from './virtual-machine-instance';

export * from './kind';
export { allKinds, isClusterScoped, kindFacts, type KindFacts, type KindName, kindOf } from './registry';

/** Rules of each kind; undefined where only the schema is checked. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const rulesOfKinds: Record<KindName, KindAdmission<any> | undefined> = {
  CDI: cdiAdmission,
  CDIConfig: undefined,
  DataImportCron: dataImportCronAdmission,
  DataSource: undefined,
  DataVolume: dataVolumeAdmission,
  KubeVirt: kubeVirtAdmission,
  MigrationPolicy: migrationPolicyAdmission,
  ObjectTransfer: objectTransferAdmission,
  OpenstackVolumePopulator: undefined,
  OvirtVolumePopulator: undefined,
  Plugin: pluginAdmission,
  StorageProfile: undefined,
  UploadTokenRequest: undefined,
  VirtualMachine: virtualMachineAdmission,
  VirtualMachineBackup: backupAdmission,
  VirtualMachineBackupTracker: backupTrackerAdmission,
  VirtualMachineClone: cloneAdmission,
  VirtualMachineClusterInstancetype: instancetypeAdmission,
  VirtualMachineClusterPreference: preferenceAdmission,
  VirtualMachineExport: exportAdmission,
  VirtualMachineInstance: virtualMachineInstanceAdmission,
  VirtualMachineInstanceMigration: migrationAdmission,
  VirtualMachineInstancePreset: presetAdmission,
  VirtualMachineInstanceReplicaSet: replicaSetAdmission,
  VirtualMachineInstancetype: instancetypeAdmission,
  VirtualMachinePool: poolAdmission,
  VirtualMachinePreference: preferenceAdmission,
  VirtualMachineRestore: restoreAdmission,
  VirtualMachineSnapshot: snapshotAdmission,
  VirtualMachineSnapshotContent: undefined,
  VirtualMachineTemplate: templateAdmission,
  VirtualMachineTemplateRequest: undefined,
  VolumeCloneSource: undefined,
  VolumeImportSource: volumeImportSourceAdmission,
  VolumeUploadSource: volumeUploadSourceAdmission,
};

/** Rules with a limit of the object's size. */
const admissions = new Map(
  allKinds.flatMap((kind) => {
    const rules = rulesOfKinds[kind];
    return rules ? [[kind, bounded(rules)] as const] : [];
  }),
);

/** Returns the rules for an object; undefined when its kind has none. */
export function admissionOf(object: Pick<KubeObject, 'apiVersion' | 'kind'>): KindAdmission | undefined {
  const kind = kindOf(object);
  return kind && admissions.get(kind);
}

/** Returns the kinds that have rules. */
export const kindNames = (): KindName[] => [...admissions.keys()];

/** Verdict of a webhook's response. */
export interface AdmissionVerdict {
  readonly allowed: boolean;
  readonly causes: readonly { readonly type: string; readonly field: string; readonly message: string }[];
  readonly warnings: readonly string[];
}

/** Object after its webhooks. */
export interface Admitted {
  /** Object with all defaults. */
  readonly object: KubeObject;
  /** Reasons why it must not be stored. */
  readonly errors: readonly Finding[];
}

/** Returns the object as it would be stored, and its mistakes. Objects of kinds without rules are returned unchanged. */
export function admit(object: KubeObject, context: AdmissionContext, old?: KubeObject): Admitted {
  const rules = admissionOf(object);
  if (!rules) return { object, errors: [] };
  const stored = rules.mutate?.(object, context) ?? object;
  return { object: stored, errors: old ? (rules.update?.(stored, old, context) ?? []) : rules.create(stored, context) };
}

/** Returns the warnings of an object; an empty list when its shape is wrong. */
export function warningsOf({ object, errors }: Admitted, context: AdmissionContext, old?: KubeObject): string[] {
  if (errors.some(({ rule }) => rule.startsWith('schema-'))) return [];
  return admissionOf(object)?.warnings?.(object, context, old) ?? [];
}

/** Returns the verdict of the webhook's response. */
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
