import { isDeepStrictEqual } from 'node:util';
import {
  clusterConfig,
  mutateVirtualMachine,
  mutateVirtualMachineInstance,
  validateVirtualMachineCreate,
  validateVirtualMachineInstanceCreate,
  validateVirtualMachineInstanceUpdate,
  validateVirtualMachineUpdate,
} from '../../../api';
import type { ClusterConfig, KubeObject, KubeVirt, VirtualMachine, VirtualMachineInstance } from '../../../api';
import { badRequest } from '../status';
import { isComponent } from './identity';
import type { AdmissionRequest, Admit, Verdict } from './review';

export interface WebhookOptions {
  /** Namespace of the installation: its ServiceAccounts are the components. */
  readonly namespace: string;
  /** The KubeVirt resource as last seen; without one, defaults hold. */
  readonly kubeVirt: () => KubeObject | undefined;
}

/** Every webhook by its path. The rules themselves are those of synth: `src/api`. */
export function createWebhooks({ namespace, kubeVirt }: WebhookOptions): ReadonlyMap<string, Admit> {
  const config = cached(kubeVirt);
  const by = (request: AdmissionRequest) => ({ trusted: isComponent(request.userInfo.username, namespace) });
  return new Map<string, Admit>([
    [
      '/virtualmachines-mutate',
      (request) => ({ object: mutateVirtualMachine(objectOf<VirtualMachine>(request), config()) }),
    ],
    [
      '/virtualmachineinstances-mutate',
      (request) => ({ object: mutateInstance(request, by(request).trusted, config()) }),
    ],
    ['/virtualmachines-validate', (request) => validateMachine(request, config(), by(request))],
    [
      '/virtualmachineinstances-validate-create',
      (request) => ({
        errors: validateVirtualMachineInstanceCreate(objectOf<VirtualMachineInstance>(request), config(), by(request)),
      }),
    ],
    [
      '/virtualmachineinstances-validate-update',
      (request) => ({
        errors: validateVirtualMachineInstanceUpdate(
          objectOf<VirtualMachineInstance>(request),
          oldObjectOf<VirtualMachineInstance>(request),
          by(request),
        ),
      }),
    ],
  ]);
}

/** The configuration is worked out once for each version of the KubeVirt resource. */
function cached(kubeVirt: () => KubeObject | undefined): () => ClusterConfig {
  let of: KubeObject | undefined;
  let value = clusterConfig(undefined);
  return () => {
    const now = kubeVirt();
    if (now !== of) {
      of = now;
      value = clusterConfig(now as KubeVirt | undefined);
    }
    return value;
  };
}

function objectOf<T extends KubeObject>(request: AdmissionRequest): T {
  if (!request.object) throw badRequest(`the request of ${request.operation} has no object`);
  return request.object as T;
}

/** An UPDATE has the state before it. */
function oldObjectOf<T extends KubeObject>(request: AdmissionRequest): T {
  if (!request.oldObject) throw badRequest(`the request of ${request.operation} has no oldObject`);
  return request.oldObject as T;
}

function validateMachine(request: AdmissionRequest, config: ClusterConfig, by: { trusted: boolean }): Verdict {
  const vm = objectOf<VirtualMachine>(request);
  const errors =
    request.operation === 'CREATE'
      ? validateVirtualMachineCreate(vm, config, by)
      : validateVirtualMachineUpdate(vm, oldObjectOf<VirtualMachine>(request), config, by);
  const warnings = vm.spec?.running == null ? [] : ['spec.running is deprecated, please use spec.runStrategy instead.'];
  return { errors, warnings };
}

/**
 * A VMI has no status subresource: its status comes with every write. What a user writes there is dropped, since the
 * components act on it.
 */
export function mutateInstance(request: AdmissionRequest, component: boolean, config: ClusterConfig): KubeObject {
  const vmi = objectOf<VirtualMachineInstance>(request);
  if (request.operation === 'CREATE') {
    const { status: _theirs, ...rest } = vmi;
    return mutateVirtualMachineInstance(component ? vmi : (rest as VirtualMachineInstance), config);
  }
  const before = (request.oldObject as VirtualMachineInstance | null | undefined)?.status;
  if (component || isDeepStrictEqual(vmi.status, before)) return vmi;
  const { status: _theirs, ...rest } = vmi;
  return { ...rest, ...(before ? { status: before } : {}) } as KubeObject;
}
