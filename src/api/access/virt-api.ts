import { collections } from '../kinds/registry';
import type { ComponentAccess } from './grant';

/** virt-api: judges what is written, and serves actions on VMs and their consoles. It keeps nothing. */
export const virtApiAccess: ComponentAccess = {
  serviceAccount: 'kubevirt-apiserver',
  grants: [
    {
      group: 'authorization.k8s.io',
      resources: ['subjectaccessreviews'],
      verbs: ['create'],
      why: 'asks whether the user may do what a subresource or a cross-namespace clone does',
    },
    {
      ...collections('KubeVirt'),
      verbs: ['list', 'watch'],
      why: 'the configuration that rules are judged by; there may be only one in the cluster',
    },
    {
      ...collections('VirtualMachineInstancePreset'),
      verbs: ['list', 'watch'],
      why: 'every new VMI asks for the presets that match it',
    },
    {
      ...collections('VirtualMachine'),
      verbs: ['get', 'list', 'patch'],
      why: 'start, stop, restart; rules of snapshots, restores and backups; none may be left when the platform goes',
    },
    {
      ...collections('VirtualMachine/status'),
      verbs: ['patch'],
      why: 'requests to start or stop are kept in the status',
    },
    {
      ...collections('VirtualMachineInstance'),
      verbs: ['get', 'list', 'patch'],
      why: 'finds the guest of an action; start paused, stop, and the end of an evacuation are kept in the VMI',
    },
    {
      ...collections('VirtualMachineInstanceReplicaSet'),
      verbs: ['list'],
      why: 'none may be left when the platform goes',
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
      why: 'the launcher of a guest that is restarted by force, or whose eviction is judged',
    },
    { group: '', resources: ['nodes'], verbs: ['get'], why: 'where the virt-handler of a guest listens' },
    { group: '', resources: ['namespaces'], verbs: ['get'], why: 'labels that turn on tracking of changed blocks' },
    {
      group: '',
      resources: ['persistentvolumeclaims'],
      verbs: ['get'],
      why: 'the instance type or preference that a volume names',
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
      why: 'VMs are judged with their instance type and preference',
    },
    {
      ...collections('VirtualMachineSnapshot', 'VirtualMachineSnapshotContent'),
      verbs: ['get'],
      why: 'a restore is judged by its snapshot',
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
      why: 'what a volume or a transfer names; none may be left when the importer goes',
    },
    {
      ...collections('DataSource', 'CDIConfig'),
      verbs: ['get'],
      why: 'what a DataVolume is made from, and how',
    },
  ],
};
