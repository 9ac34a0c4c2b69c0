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
      group: 'kubevirt.io',
      resources: ['kubevirts'],
      verbs: ['list', 'watch'],
      why: 'the configuration that rules are judged by; there may be only one in the cluster',
    },
    {
      group: 'kubevirt.io',
      resources: ['virtualmachineinstancepresets'],
      verbs: ['list', 'watch'],
      why: 'every new VMI asks for the presets that match it',
    },
    {
      group: 'kubevirt.io',
      resources: ['virtualmachines'],
      verbs: ['get', 'list', 'patch'],
      why: 'start, stop, restart; rules of snapshots, restores and backups; none may be left when the platform goes',
    },
    {
      group: 'kubevirt.io',
      resources: ['virtualmachines/status'],
      verbs: ['patch'],
      why: 'requests to start or stop are kept in the status',
    },
    {
      group: 'kubevirt.io',
      resources: ['virtualmachineinstances'],
      verbs: ['get', 'list', 'patch'],
      why: 'finds the guest of an action; start paused, stop, and the end of an evacuation are kept in the VMI',
    },
    {
      group: 'kubevirt.io',
      resources: ['virtualmachineinstancereplicasets'],
      verbs: ['list'],
      why: 'none may be left when the platform goes',
    },
    {
      group: 'kubevirt.io',
      resources: ['virtualmachineinstancemigrations'],
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
      group: 'instancetype.kubevirt.io',
      resources: [
        'virtualmachineinstancetypes',
        'virtualmachineclusterinstancetypes',
        'virtualmachinepreferences',
        'virtualmachineclusterpreferences',
      ],
      verbs: ['get'],
      why: 'VMs are judged with their instance type and preference',
    },
    {
      group: 'snapshot.kubevirt.io',
      resources: ['virtualmachinesnapshots', 'virtualmachinesnapshotcontents'],
      verbs: ['get'],
      why: 'a restore is judged by its snapshot',
    },
    {
      group: 'snapshot.kubevirt.io',
      resources: ['virtualmachinerestores'],
      verbs: ['list'],
      why: 'a VM has one restore at a time',
    },
    {
      group: 'backup.kubevirt.io',
      resources: ['virtualmachinebackups'],
      verbs: ['list'],
      why: 'a VM has one backup at a time',
    },
    {
      group: 'cdi.kubevirt.io',
      resources: ['datavolumes'],
      verbs: ['get', 'list'],
      why: 'what a volume or a transfer names; none may be left when the importer goes',
    },
    {
      group: 'cdi.kubevirt.io',
      resources: ['datasources', 'cdiconfigs'],
      verbs: ['get'],
      why: 'what a DataVolume is made from, and how',
    },
  ],
};
