/** One object -> what the platform makes of it, stage by stage. Pure. */
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
  /** Configuration, requester and what the cluster holds. */
  readonly context: AdmissionContext;
  /** Overrides fields of the model node. */
  readonly node?: Partial<ModelNode>;
  /** Names and uids for what the cluster would name. */
  readonly identity: Identity;
  /** The model node cannot run KVM. Default: what the configuration says. */
  readonly emulation?: boolean;
  readonly launcherImage: string;
}

/** Where generated names and uids come from. */
export interface Identity {
  uid(): string;
  suffix(): string;
}

/** The same in every run: for tests and for comparing. */
export const fixedIdentity: Identity = { uid: () => '11111111-2222-4333-8444-555555555555', suffix: () => 'xxxxx' };

/** What came of one object. */
export interface Rendered {
  /** Why admission refuses the object. What can be shown of it is shown all the same. */
  readonly errors: readonly Finding[];
  /** The stage; undefined when there is nothing to show: no instance is made of this kind, or of this mistake. */
  readonly value?: unknown;
}

/** The stage of one object. */
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

/** Rendering reads fields without asking for their types. A word or number that is not allowed does not disturb it. */
const hidesTheRest = ({ rule }: Finding): boolean => /^(object|schema-(?!enum|limit))/.test(rule);

/** A stage of a stored instance. */
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
  // the real one's letters follow from the uid
  return {
    ...pod,
    metadata: { generateName, ...pod.metadata, name: `${generateName}${identity.suffix()}` },
    status: {},
  };
}

/** What a Pod depends on, from the files. */
const factSource = ({ find, list }: AdmissionContext): FactSource => ({
  quotas: (namespace) => list('ResourceQuota', namespace),
  namespace: (name) => find('Namespace', undefined, name),
  stateClaims: (namespace) => list('PersistentVolumeClaim', namespace),
  definition: (key) => {
    const slash = key.indexOf('/');
    return find('NetworkAttachmentDefinition', key.slice(0, slash), key.slice(slash + 1));
  },
});

/** The VMI that the platform would create for the object, as it would be stored; or what it waits for. */
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
      // admission has told the errors; problems it lets pass, and the platform waits for what is missing
      return errors.length + problems.length > 0 ? problems : stored(virtualMachineInstanceOf(vm, context));
    }
    default:
      return undefined;
  }
}

/** The object with what the API server gives it before anybody sees it. */
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
      // a set or pool that is not stored yet owns nothing
      ...(/^VirtualMachine(Instance)?$/.test(object.kind) ? { uid: uid || identity.uid() } : {}),
    },
  };
}
