/** Renders the stages of one object: instance, verdict, Pod, domain. Pure. */
import {
  type AdmissionContext,
  admit,
  type Finding,
  type KubeObject,
  type ObjectMeta,
  type VirtualMachine,
  type VirtualMachineInstance,
  verdictOf,
  virtualMachineInstanceOf,
} from '../../api';
import { isClusterScoped } from '../../api/kinds/registry';
import { expandInstance } from '../../api/instancetype';
import { instanceOfReplicaSet, type PoolLike, type ReplicaSetLike, virtualMachineOfPool } from '../../api/workloads';
import { clusterFacts, renderPod } from '../../runtime/controller/pod';
import type { FactSource } from '../../runtime/controller/pod';
import { renderDomainXml } from '../../runtime/launcher/domain/render';
import { modelFacts } from './model/facts';
import type { ModelNode } from './model/node';
import { claimsOf } from './support';

export const stages = ['vmi', 'verdict', 'pod', 'domain'] as const;
export type Stage = (typeof stages)[number];

export interface RenderOptions {
  /** Configuration, requester and objects of the cluster. */
  readonly context: AdmissionContext;
  /** Fields of the model node to override. */
  readonly node?: Partial<ModelNode>;
  /** Names and uids that a cluster would generate. */
  readonly identity: Identity;
  /** Whether the model node lacks KVM. Default: from the configuration. */
  readonly emulation?: boolean;
  readonly launcherImage: string;
}

/** Source of generated names and uids. */
export interface Identity {
  uid(): string;
  suffix(): string;
}

/** Identities that are the same in every run, for tests and comparisons. */
export const fixedIdentity: Identity = { uid: () => '11111111-2222-4333-8444-555555555555', suffix: () => 'xxxxx' };

/** Result for one object. */
export interface Rendered {
  /** Findings for which admission rejects the object. The stage is rendered anyway if possible. */
  readonly errors: readonly Finding[];
  /** Rendered stage; undefined if the kind has no instances or the mistakes prevent rendering. */
  readonly value?: unknown;
}

/** Renders the stage of one object. */
export function renderStage(object: KubeObject, stage: Stage, options: RenderOptions): Rendered {
  const { context, identity } = options;
  const admitted = admit(named(object, identity), context);
  const { errors } = admitted;
  if (stage === 'verdict') return { errors, value: verdictOf(admitted, context) };
  if (errors.some(hidesTheRest)) return { errors };
  const made = instanceOf(admitted.object, options);
  if (made === undefined || Array.isArray(made)) return { errors: [...errors, ...(made ?? [])] };
  return { errors, value: renderInstance(made as VirtualMachineInstance, stage, options) };
}

/** Whether rendering can read the object: only wrong types prevent it, not values out of range. */
const hidesTheRest = ({ rule }: Finding): boolean => /^(object|schema-(?!enum|limit))/.test(rule);

/** Renders the stage of a stored instance. */
export function renderInstance(
  vmi: VirtualMachineInstance,
  stage: Exclude<Stage, 'verdict'>,
  { context, identity, launcherImage, node, emulation }: RenderOptions,
): unknown {
  if (stage === 'vmi') return vmi;
  const { config } = context;
  const claims = claimsOf(vmi, context, identity.uid());
  if (stage === 'domain') return renderDomainXml(vmi, modelFacts(vmi, { config, claims, node, emulation }));
  const { name } = vmi.metadata;
  const stateClaim = `persistent-state-for-${name}-${identity.suffix()}`;
  const facts = clusterFacts(vmi, config, factSource(context));
  const pod = renderPod({ vmi, config, launcherImage, claims, stateClaim, ...facts });
  const generateName = `virt-launcher-${name}-`;
  // in a cluster, the suffix follows from the uid
  return {
    ...pod,
    metadata: { generateName, ...pod.metadata, name: `${generateName}${identity.suffix()}` },
    status: {},
  };
}

/** Objects of the files on which the Pod depends. */
const factSource = ({ find, list }: AdmissionContext): FactSource => ({
  quotas: (namespace) => list('ResourceQuota', namespace),
  namespace: (name) => find('Namespace', undefined, name),
  stateClaims: (namespace) => list('PersistentVolumeClaim', namespace),
  definition: (key) => {
    const slash = key.indexOf('/');
    return find('NetworkAttachmentDefinition', key.slice(0, slash), key.slice(slash + 1));
  },
});

/** VMI that the platform would create for the object, in its stored form; or the reason why it would wait. */
function instanceOf(
  object: KubeObject,
  options: RenderOptions,
): VirtualMachineInstance | readonly Finding[] | undefined {
  const { context, identity } = options;
  const stored = <T extends KubeObject>(given: T | undefined): T | undefined =>
    given && (admit(named(given, identity), { ...context, by: { trusted: true } }).object as T);
  switch (object.kind) {
    case 'VirtualMachineInstance':
      return object as VirtualMachineInstance;
    case 'VirtualMachineInstanceReplicaSet':
      return stored(instanceOfReplicaSet(object as ReplicaSetLike));
    case 'VirtualMachinePool': {
      const vm = stored(virtualMachineOfPool(object as PoolLike, 0));
      return vm && instanceOf(vm, options);
    }
    case 'VirtualMachine': {
      const vm = object as VirtualMachine;
      const { errors, problems } = expandInstance(vm, context);
      // admission reports errors; it accepts a missing object, for which the platform waits
      return errors.length + problems.length > 0 ? problems : stored(virtualMachineInstanceOf(vm, context));
    }
    default:
      return undefined;
  }
}

/** Object with the fields that the API server sets on creation. */
function named<T extends KubeObject>(object: T, identity: Identity): T {
  if (typeof object.metadata !== 'object' || object.metadata === null) return object;
  const { generateName, ...metadata }: ObjectMeta = object.metadata;
  const { name, namespace, uid } = metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(!name && generateName ? { name: `${generateName}${identity.suffix()}` } : {}),
      ...(namespace || isClusterScoped(object.kind) ? {} : { namespace: 'default' }),
      // a set or pool that is not stored yet has no uid for ownerReferences
      ...(/^VirtualMachine(Instance)?$/.test(object.kind) ? { uid: uid || identity.uid() } : {}),
    },
  };
}
