import { collections, kinds } from '../kinds/registry';
import { type ComponentAccess, leads } from './grant';

/** virt-controller: creates instances of VMs, and the launcher Pods of instances. It never reads a Secret. */
export const virtControllerAccess: ComponentAccess = {
  serviceAccount: 'kubevirt-controller',
  grants: [
    {
      ...collections('VirtualMachine'),
      verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
      why: 'VMs to run; their finalizer, and the instance type that is written into them; VMs of pools and restores',
    },
    { ...collections('VirtualMachine/status'), verbs: ['patch'], why: 'status of VMs' },
    {
      ...collections('VirtualMachineSnapshot', 'VirtualMachineSnapshotContent', 'VirtualMachineRestore'),
      verbs: ['list', 'watch', 'create', 'patch', 'delete'],
      why: 'snapshots and restores of VMs, and those of clones',
    },
    { ...collections('VirtualMachineClone'), verbs: ['list', 'watch'], why: 'clones of VMs' },
    {
      ...collections(
        'VirtualMachineSnapshot/status',
        'VirtualMachineSnapshotContent/status',
        'VirtualMachineRestore/status',
      ),
      verbs: ['patch'],
      why: 'their status',
    },
    {
      ...collections('VirtualMachineBackup'),
      verbs: ['get', 'list', 'watch', 'patch'],
      why: 'backups of VMs; their finalizer',
    },
    { ...collections('VirtualMachineBackupTracker'), verbs: ['list', 'watch'], why: 'checkpoints of backups' },
    {
      ...collections('VirtualMachineBackup/status', 'VirtualMachineBackupTracker/status'),
      verbs: ['patch'],
      why: 'their status',
    },
    { ...collections('VirtualMachineClone/status'), verbs: ['patch'], why: 'status of clones' },
    {
      group: 'subresources.kubevirt.io',
      resources: [
        ...['freeze', 'unfreeze', 'backup'].map((name) => `${kinds.VirtualMachineInstance.plural}/${name}`),
        `${kinds.VirtualMachine.plural}/stop`,
      ],
      verbs: ['update'],
      why: 'freezes guests while their disks are snapshotted; backs up their disks; stops VMs that are restored with StopTarget',
      implied: true,
    },
    {
      ...collections('VirtualMachineInstance'),
      verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
      why: 'instances of VMs and their phases',
    },
    {
      ...collections('VirtualMachineInstanceReplicaSet'),
      verbs: ['list', 'watch'],
      why: 'replica sets, whose instances it creates and deletes',
    },
    { ...collections('VirtualMachineInstanceReplicaSet/status'), verbs: ['patch'], why: 'status of replica sets' },
    {
      ...collections('VirtualMachinePool'),
      verbs: ['list', 'watch', 'patch'],
      why: 'pools, whose VMs it creates, changes and deletes; their finalizer',
    },
    { ...collections('VirtualMachinePool/status'), verbs: ['patch'], why: 'status of pools' },
    {
      ...collections(
        'VirtualMachine/finalizers',
        'VirtualMachineInstance/finalizers',
        'VirtualMachineInstanceReplicaSet/finalizers',
      ),
      verbs: ['update'],
      why: 'owner references that block deletion (OwnerReferencesPermissionEnforcement)',
      implied: true,
    },
    {
      ...collections('VirtualMachinePool/finalizers'),
      verbs: ['update'],
      why: 'owner references that block deletion (OwnerReferencesPermissionEnforcement)',
      implied: true,
    },
    {
      ...collections('KubeVirt'),
      verbs: ['list', 'watch'],
      why: 'the configuration of the platform',
      where: 'installation',
    },
    {
      group: '',
      resources: ['pods'],
      verbs: ['get', 'list', 'watch', 'create', 'delete'],
      why: 'launchers of instances',
    },
    { group: '', resources: ['pods/status'], verbs: ['patch'], why: 'readiness gate of a paused guest' },
    {
      group: '',
      resources: ['nodes'],
      verbs: ['list', 'watch', 'patch'],
      why: 'reasons why a launcher is not scheduled; marks a node without a working virt-handler as unschedulable for guests',
    },
    {
      group: '',
      resources: ['persistentvolumeclaims'],
      verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
      why: 'disks of guests, whether CDI has filled them, and the claims for the state of TPM and firmware',
    },
    {
      group: '',
      resources: ['namespaces'],
      verbs: ['get', 'list', 'watch'],
      why: 'labels that set limits for Pods, or enable changed block tracking',
    },
    { group: '', resources: ['resourcequotas'], verbs: ['list', 'watch'], why: 'quotas that require limits of Pods' },
    { group: '', resources: ['events'], verbs: ['create', 'patch'], why: 'events for users' },
    {
      group: 'apps',
      resources: ['controllerrevisions'],
      verbs: ['get', 'create', 'delete'],
      why: 'revisions of the instance type and preference of a VM',
    },
    {
      ...collections(
        'VirtualMachineInstancetype',
        'VirtualMachineClusterInstancetype',
        'VirtualMachinePreference',
        'VirtualMachineClusterPreference',
      ),
      verbs: ['get'],
      why: 'instance types and preferences of VMs that start',
    },
    {
      ...collections('DataVolume'),
      verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
      why: 'created from the templates of a VM, and by DataImportCrons, which delete old ones; kept for a pool',
    },
    {
      ...collections('DataVolume/status', 'StorageProfile/status', 'ObjectTransfer/status'),
      verbs: ['patch'],
      why: 'their status',
    },
    {
      ...collections('VolumeImportSource', 'VolumeCloneSource', 'VolumeUploadSource'),
      verbs: ['list', 'watch', 'create', 'delete'],
      why: 'content of the claims of DataVolumes',
    },
    {
      ...collections('DataSource'),
      verbs: ['get', 'list', 'watch', 'create', 'patch'],
      why: 'sources of clones; the newest import of a DataImportCron',
    },
    { ...collections('DataImportCron'), verbs: ['list', 'watch', 'patch'], why: 'regular imports, and their digests' },
    {
      ...collections('ObjectTransfer'),
      verbs: ['list', 'watch', 'patch'],
      why: 'claims and DataVolumes that get another namespace or name; their finalizer',
    },
    { ...collections('CDI'), verbs: ['list', 'watch'], why: 'how the platform clones' },
    {
      group: 'snapshot.storage.k8s.io',
      resources: ['volumesnapshots'],
      verbs: ['get', 'create'],
      why: 'clones of drivers that restore snapshots',
    },
    {
      group: 'snapshot.storage.k8s.io',
      resources: ['volumesnapshotclasses'],
      verbs: ['list'],
      why: 'clones of drivers that restore snapshots',
    },
    {
      group: 'authorization.k8s.io',
      resources: ['subjectaccessreviews'],
      verbs: ['create'],
      why: 'whether the ServiceAccount of a namespace may clone from another one',
    },
    {
      ...collections('StorageProfile'),
      verbs: ['get', 'list', 'watch', 'create', 'delete'],
      why: 'access modes and volume modes of classes',
    },
    {
      ...collections('CDIConfig'),
      verbs: ['get', 'list', 'watch', 'create', 'patch'],
      why: 'overhead of file systems, resources of importers; the address of the upload proxy',
    },
    {
      ...collections('DataVolume/finalizers'),
      verbs: ['update'],
      why: 'owner references that block deletion (OwnerReferencesPermissionEnforcement)',
      implied: true,
    },
    {
      group: '',
      resources: ['persistentvolumes'],
      verbs: ['list', 'watch', 'patch'],
      why: 'volumes of claims that were filled, which it hands over to the claims of users',
    },
    {
      group: 'storage.k8s.io',
      resources: ['storageclasses'],
      verbs: ['get', 'list', 'watch'],
      why: 'how volumes are bound',
    },
    {
      ...collections('VirtualMachineExport'),
      verbs: ['get', 'list', 'watch', 'create', 'delete'],
      why: 'exports, which end with their lifetime, and those of backups in mode Pull',
    },
    { ...collections('VirtualMachineExport/status'), verbs: ['patch'], why: 'links of exports' },
    {
      ...collections('VirtualMachineExport/finalizers'),
      verbs: ['update'],
      why: 'owner references that block deletion (OwnerReferencesPermissionEnforcement)',
      implied: true,
    },
    {
      ...collections('VirtualMachineSnapshot', 'VirtualMachineSnapshotContent'),
      verbs: ['get'],
      why: 'exports of snapshots',
    },
    { group: '', resources: ['services'], verbs: ['get', 'create'], why: 'addresses of exporters' },
    {
      group: '',
      resources: ['secrets'],
      verbs: ['create'],
      why: 'tokens and certificates of exporters, which it cannot read afterwards',
    },
    { group: '', resources: ['configmaps'], verbs: ['create'], why: 'manifests of exported VMs' },
    {
      group: 'k8s.cni.cncf.io',
      resources: ['network-attachment-definitions'],
      verbs: ['list', 'watch'],
      why: 'resources that a network requires in its Pods',
    },
    ...leads('virt-controller'),
  ],
};
