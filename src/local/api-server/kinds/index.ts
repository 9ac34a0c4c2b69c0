import { Kind } from '../registry/kind';
import { admissionPolicyKinds } from './admission-policy';
import { autoscalingKinds } from './autoscaling';
import { batchKinds } from './batch';
import { configMap, secret, serviceAccount } from './config';
import { customResourceDefinition } from '../crd/definition/kind';
import { event, newEvent } from './event';
import { namespace } from './namespace';
import { node } from './node';
import { pod } from './pod';
import { podDisruptionBudget } from './policy';
import { serviceKind } from './service';
import { ServiceAllocator } from './service-allocator';
import { discoveryKinds } from './endpoints';
import { apiService } from './extensions';
import { webhookKinds } from './webhook-configuration';
import { rbacKinds } from './rbac';
import { leaseKind, priorityClass } from './others';
import { ingress } from './ingress';
import { ingressClass } from './ingress-class';
import { networkPolicy } from './network-policy';
import { limitRange } from './limit-range';
import { resourceQuota } from './resource-quota';
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
    resourceQuota,
    limitRange,
    ...discoveryKinds,
    ...rbacKinds,
    ...webhookKinds,
    ...admissionPolicyKinds,
    ...workloadKinds,
    ...batchKinds,
    ...autoscalingKinds,
    networkPolicy,
    ingress,
    ingressClass,
  ];
}
