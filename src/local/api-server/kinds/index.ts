import { Kind } from '../registry/kind';
import { configMap, secret, serviceAccount } from './config';
import { customResourceDefinition } from './custom-resource-definition';
import { event, newEvent } from './event';
import { namespace } from './namespace';
import { node } from './node';
import { pod } from './pod';
import { serviceKind } from './service';
import { ServiceAllocator } from './service-allocator';
import { discoveryKinds } from './endpoints';
import { apiService, webhookKinds } from './extensions';
import { rbacKinds } from './rbac';
import { leaseKind, podDisruptionBudget, priorityClass, storedKinds } from './others';
import { persistentVolume, persistentVolumeClaim, storageClass } from './storage';
import { workloadKinds } from './workloads';

/** Every built-in kind that the server stores. */
export function builtinKinds(allocator: ServiceAllocator): Kind[] {
  return [
    namespace,
    pod,
    serviceKind(allocator),
    configMap,
    secret,
    serviceAccount,
    event,
    newEvent,
    node,
    persistentVolumeClaim,
    persistentVolume,
    storageClass,
    customResourceDefinition,
    apiService,
    leaseKind,
    priorityClass,
    podDisruptionBudget,
    ...discoveryKinds,
    ...rbacKinds,
    ...webhookKinds,
    ...workloadKinds,
    ...storedKinds,
  ];
}
