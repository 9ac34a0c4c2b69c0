/** Kinds with a construct. */
import { type KindName, kindOf } from '../../../api/kinds/registry';
import { networkAttachment } from './attachment';
import type { Manifest, Mapping } from './kind';
import { kubeVirt } from './platform';
import { backup, backupTracker, clone, migration, migrationPolicy, restore, snapshot, vmExport } from './protection';
import { service } from './service';
import { instancetype, preference } from './sizing';
import { dataImportCron, dataSource, dataVolume, storageProfile } from './storage';
import { pool, replicaSet, virtualMachine, virtualMachineInstance } from './virtual-machine';

/** Undefined where no construct declares the kind: it is imported as a raw ApiObject. */
const ours: Readonly<Record<KindName, Mapping | undefined>> = {
  CDI: undefined,
  CDIConfig: undefined,
  DataImportCron: dataImportCron,
  DataSource: dataSource,
  DataVolume: dataVolume,
  KubeVirt: kubeVirt,
  MigrationPolicy: migrationPolicy,
  ObjectTransfer: undefined,
  OpenstackVolumePopulator: undefined,
  OvirtVolumePopulator: undefined,
  Plugin: undefined,
  StorageProfile: storageProfile,
  UploadTokenRequest: undefined,
  VirtualMachine: virtualMachine,
  VirtualMachineBackup: backup,
  VirtualMachineBackupTracker: backupTracker,
  VirtualMachineClone: clone,
  VirtualMachineClusterInstancetype: instancetype,
  VirtualMachineClusterPreference: preference,
  VirtualMachineExport: vmExport,
  VirtualMachineInstance: virtualMachineInstance,
  VirtualMachineInstanceMigration: migration,
  VirtualMachineInstancePreset: undefined,
  VirtualMachineInstanceReplicaSet: replicaSet,
  VirtualMachineInstancetype: instancetype,
  VirtualMachinePool: pool,
  VirtualMachinePreference: preference,
  VirtualMachineRestore: restore,
  VirtualMachineSnapshot: snapshot,
  VirtualMachineSnapshotContent: undefined,
  VirtualMachineTemplate: undefined,
  VirtualMachineTemplateRequest: undefined,
  VolumeCloneSource: undefined,
  VolumeImportSource: undefined,
  VolumeUploadSource: undefined,
};

const others: Readonly<Record<string, Mapping>> = {
  Service: service,
  'k8s.cni.cncf.io/NetworkAttachmentDefinition': networkAttachment,
};

/** Construct that declares the object; undefined if only a raw ApiObject can. */
export function mappingOf(manifest: Manifest): Mapping | undefined {
  const known = kindOf(manifest);
  if (known) return ours[known];
  const { apiVersion, kind } = manifest;
  const key = apiVersion.includes('/') ? `${apiVersion.split('/')[0]}/${kind}` : kind;
  return Object.hasOwn(others, key) ? others[key] : undefined;
}
