/** Kinds with a construct. */
import { networkAttachment } from './attachment';
import type { Manifest, Mapping } from './kind';
import { kubeVirt } from './platform';
import { backup, backupTracker, clone, migration, migrationPolicy, restore, snapshot, vmExport } from './protection';
import { service } from './service';
import { instancetype, preference } from './sizing';
import { dataImportCron, dataSource, dataVolume, storageProfile } from './storage';
import { pool, replicaSet, virtualMachine, virtualMachineInstance } from './virtual-machine';

const mappings: Readonly<Record<string, Mapping>> = {
  'kubevirt.io/KubeVirt': kubeVirt,
  'kubevirt.io/VirtualMachine': virtualMachine,
  'kubevirt.io/VirtualMachineInstance': virtualMachineInstance,
  'kubevirt.io/VirtualMachineInstanceMigration': migration,
  'migrations.kubevirt.io/MigrationPolicy': migrationPolicy,
  'snapshot.kubevirt.io/VirtualMachineSnapshot': snapshot,
  'snapshot.kubevirt.io/VirtualMachineRestore': restore,
  'clone.kubevirt.io/VirtualMachineClone': clone,
  'export.kubevirt.io/VirtualMachineExport': vmExport,
  'backup.kubevirt.io/VirtualMachineBackup': backup,
  'backup.kubevirt.io/VirtualMachineBackupTracker': backupTracker,
  'kubevirt.io/VirtualMachineInstanceReplicaSet': replicaSet,
  'pool.kubevirt.io/VirtualMachinePool': pool,
  'instancetype.kubevirt.io/VirtualMachineInstancetype': instancetype,
  'instancetype.kubevirt.io/VirtualMachineClusterInstancetype': instancetype,
  'instancetype.kubevirt.io/VirtualMachinePreference': preference,
  'instancetype.kubevirt.io/VirtualMachineClusterPreference': preference,
  Service: service,
  'k8s.cni.cncf.io/NetworkAttachmentDefinition': networkAttachment,
  'cdi.kubevirt.io/DataImportCron': dataImportCron,
  'cdi.kubevirt.io/DataSource': dataSource,
  'cdi.kubevirt.io/DataVolume': dataVolume,
  'cdi.kubevirt.io/StorageProfile': storageProfile,
};

/** Construct that declares the object; undefined if only a raw ApiObject can. */
export function mappingOf({ apiVersion, kind }: Manifest): Mapping | undefined {
  const key = apiVersion.includes('/') ? `${apiVersion.split('/')[0]}/${kind}` : kind;
  return Object.hasOwn(mappings, key) ? mappings[key] : undefined;
}
