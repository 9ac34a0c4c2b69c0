import { collections } from '../kinds/registry';
import type { ComponentAccess } from './grant';

/**
 * virt-handler: the agent of one node. Roles cannot restrict it to its own node; admission policies do
 * (`kubevirt-node-restriction`, `kubevirt-instance-restriction`).
 */
export const virtHandlerAccess: ComponentAccess = {
  serviceAccount: 'kubevirt-handler',
  grants: [
    {
      ...collections('VirtualMachineInstance'),
      verbs: ['get', 'list', 'watch', 'patch'],
      why: 'guests of its node and their status',
    },
    {
      ...collections('KubeVirt'),
      verbs: ['list', 'watch'],
      why: 'the limit of its requests',
      where: 'installation',
    },
    { group: '', resources: ['pods'], verbs: ['list', 'watch'], why: 'launchers of its node' },
    {
      group: '',
      resources: ['nodes'],
      verbs: ['get', 'patch'],
      why: 'heartbeat, devices, and its address',
    },
    { group: '', resources: ['events'], verbs: ['create', 'patch'], why: 'events for users' },
  ],
};
