import { collections } from '../kinds/registry';
import { type ComponentAccess, leads } from './grant';

/** virt-controller: makes instances of VMs, and the launcher Pods of instances. No secret is ever read. */
export const virtControllerAccess: ComponentAccess = {
  serviceAccount: 'kubevirt-controller',
  grants: [
    {
      ...collections('VirtualMachine'),
      verbs: ['list', 'watch', 'patch'],
      why: 'what should run; its finalizer, and the instance type written into it',
    },
    { ...collections('VirtualMachine/status'), verbs: ['patch'], why: 'tells how a VM is' },
    {
      ...collections('VirtualMachineInstance'),
      verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
      why: 'instances of VMs and their phases',
    },
    {
      ...collections('VirtualMachine/finalizers', 'VirtualMachineInstance/finalizers'),
      verbs: ['update'],
      why: 'owners of what is made block their deletion (OwnerReferencesPermissionEnforcement)',
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
    { group: '', resources: ['pods/status'], verbs: ['patch'], why: 'readiness gate of a guest that is paused' },
    {
      group: '',
      resources: ['nodes'],
      verbs: ['list', 'watch', 'patch'],
      why: 'why a launcher cannot be placed; a node whose virt-handler is silent takes no more guests',
    },
    {
      group: '',
      resources: ['persistentvolumeclaims'],
      verbs: ['get', 'list', 'watch', 'create'],
      why: 'disks of guests, whether CDI is done with one, and the claims for the state of TPM and firmware',
    },
    {
      group: '',
      resources: ['namespaces'],
      verbs: ['get', 'list', 'watch'],
      why: 'labels that give its Pods limits, or track changed blocks',
    },
    { group: '', resources: ['resourcequotas'], verbs: ['list', 'watch'], why: 'quotas that give Pods limits' },
    { group: '', resources: ['events'], verbs: ['get', 'create', 'patch'], why: 'tells users what happened' },
    {
      group: 'apps',
      resources: ['controllerrevisions'],
      verbs: ['get', 'create', 'delete'],
      why: 'the instance type and preference that a VM keeps',
    },
    {
      ...collections(
        'VirtualMachineInstancetype',
        'VirtualMachineClusterInstancetype',
        'VirtualMachinePreference',
        'VirtualMachineClusterPreference',
      ),
      verbs: ['get'],
      why: 'what a VM that starts is sized by',
    },
    {
      ...collections('DataVolume'),
      verbs: ['list', 'watch', 'create'],
      why: 'made from the templates of a VM; a guest starts when they are filled',
    },
    {
      group: 'k8s.cni.cncf.io',
      resources: ['network-attachment-definitions'],
      verbs: ['list', 'watch'],
      why: 'resources that a network asks of its Pod',
    },
    ...leads('virt-controller'),
  ],
};
