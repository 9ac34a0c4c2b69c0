import { collections } from '../kinds/registry';
import type { ComponentAccess } from './grant';

/** virt-api: validates objects, and serves actions on VMs and their consoles. It is stateless. */
export const virtApiAccess: ComponentAccess = {
  serviceAccount: 'kubevirt-apiserver',
  grants: [
    {
      group: 'authorization.k8s.io',
      resources: ['subjectaccessreviews'],
      verbs: ['create'],
      why: 'checks whether the user may use a subresource or a cross-namespace clone',
    },
    {
      ...collections('KubeVirt'),
      verbs: ['list', 'watch'],
      why: 'the configuration that rules depend on; only one may exist in the cluster',
    },
    {
      ...collections('VirtualMachineInstancePreset'),
      verbs: ['list', 'watch'],
      why: 'presets that match a new VMI',
    },
    {
      ...collections('VirtualMachine'),
      verbs: ['get', 'list', 'patch'],
      why: 'start, stop, restart; rules of snapshots, restores and backups; none may exist when the platform is uninstalled',
    },
    {
      ...collections('VirtualMachine/status'),
      verbs: ['patch'],
      why: 'requests to start or stop, and to dump the memory, are stored in the status',
    },
    {
      ...collections('VirtualMachineInstance'),
      verbs: ['get', 'list', 'patch'],
      why: 'finds the guest of an action; start paused, stop, and the end of an evacuation are stored in the VMI',
    },
    {
      ...collections('VirtualMachineInstanceReplicaSet'),
      verbs: ['list'],
      why: 'none may exist when the platform is uninstalled',
    },
    {
      ...collections('VirtualMachineInstanceMigration'),
      verbs: ['list'],
      why: 'an instance has one migration at a time',
    },
    {
      group: '',
      resources: ['pods'],
      verbs: ['get', 'delete'],
      why: 'the launcher of a guest: its node, for a forced restart, and for decisions about evictions',
    },
    { group: '', resources: ['nodes'], verbs: ['get'], why: 'address of the virt-handler of a guest' },
    { group: '', resources: ['namespaces'], verbs: ['get'], why: 'labels that enable changed block tracking' },
    {
      group: '',
      resources: ['persistentvolumeclaims'],
      verbs: ['get'],
      why: 'the instance type or preference that a volume names; targets of memory dumps',
    },
    {
      group: 'snapshot.storage.k8s.io',
      resources: ['volumesnapshots'],
      verbs: ['get'],
      why: 'the instance type or preference that a snapshot names',
    },
    {
      group: 'apps',
      resources: ['controllerrevisions'],
      verbs: ['get'],
      why: 'the revision of the instance type or preference that a VM keeps',
    },
    {
      ...collections(
        'VirtualMachineInstancetype',
        'VirtualMachineClusterInstancetype',
        'VirtualMachinePreference',
        'VirtualMachineClusterPreference',
      ),
      verbs: ['get'],
      why: 'VMs are validated with their instance type and preference',
    },
    {
      ...collections('VirtualMachineSnapshot', 'VirtualMachineSnapshotContent'),
      verbs: ['get'],
      why: 'a restore is validated with its snapshot',
    },
    {
      ...collections('VirtualMachineRestore'),
      verbs: ['list'],
      why: 'a VM has one restore at a time',
    },
    {
      ...collections('VirtualMachineBackup'),
      verbs: ['list'],
      why: 'a VM has one backup at a time',
    },
    {
      ...collections('DataVolume'),
      verbs: ['get', 'list'],
      why: 'targets of volumes and transfers; none may exist when CDI is uninstalled',
    },
    {
      ...collections('DataSource', 'CDIConfig'),
      verbs: ['get'],
      why: 'source and settings of a DataVolume; space of a file system',
    },
  ],
};
