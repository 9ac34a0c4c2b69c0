/** One object -> what the platform makes of it, stage by stage. Pure. */
import {
  type AdmissionContext,
  admit,
  type FieldError,
  type KubeObject,
  type ObjectMeta,
  type VirtualMachine,
  type VirtualMachineInstance,
  verdictOf,
  virtualMachineInstanceOf,
} from '../../api';
import { expandInstance } from '../../api/instancetype';
import { instanceOfReplicaSet, type PoolLike, type ReplicaSetLike, virtualMachineOfPool } from '../../api/workloads';
import { renderPod } from '../../runtime/controller/pod';
import { renderDomainXml } from '../../runtime/launcher/domain/render';
import { modelFacts, type ModelNode } from '../../runtime/launcher/domain/model';
import { claimsOf, surroundingsOf, type Support } from './support';

export const stages = ['vmi', 'verdict', 'pod', 'domain'] as const;
export type Stage = (typeof stages)[number];

export interface RenderOptions {
  /** Configuration, requester and what the cluster holds. */
  readonly context: AdmissionContext;
  readonly support: Support;
  /** Overrides fields of the model node. */
  readonly node?: Partial<ModelNode>;
  /** Names and uids for what the cluster would name. */
  readonly identity: Identity;
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
export type Rendered =
  | { readonly kind: 'output'; readonly value: unknown; readonly refused: boolean }
  | { readonly kind: 'refused'; readonly errors: readonly FieldError[] }
  /** Of a kind from which no instance is made. */
  | { readonly kind: 'nothing' };

/** The stage of one object. */
export function renderStage(object: KubeObject, stage: Stage, options: RenderOptions): Rendered {
  const admitted = admit(named(object, options.identity), options.context);
  if (stage === 'verdict') {
    const verdict = verdictOf(admitted, options.context);
    return { kind: 'output', value: verdict, refused: !verdict.allowed };
  }
  if (admitted.errors.length > 0) return { kind: 'refused', errors: admitted.errors };
  const made = instanceOf(admitted.object, options);
  if (!made) return { kind: 'nothing' };
  if ('errors' in made) return { kind: 'refused', errors: made.errors };
  return { kind: 'output', value: renderInstance(made.instance, stage, options), refused: false };
}

/** A stage of a stored instance. */
export function renderInstance(
  vmi: VirtualMachineInstance,
  stage: Exclude<Stage, 'verdict'>,
  { context: { config }, support, launcherImage, node }: RenderOptions,
): unknown {
  if (stage === 'vmi') return vmi;
  const claims = claimsOf(vmi, support);
  if (stage === 'pod') return renderPod({ vmi, config, launcherImage, claims, ...surroundingsOf(vmi, support) });
  return renderDomainXml(vmi, modelFacts(vmi, { config, claims, node }));
}

/** The VMI that the platform would create for the object, as it would be stored. */
function instanceOf(
  object: KubeObject,
  options: RenderOptions,
): { instance: VirtualMachineInstance } | { errors: readonly FieldError[] } | undefined {
  const { context, identity } = options;
  switch (object.kind) {
    case 'VirtualMachineInstance':
      return { instance: object as VirtualMachineInstance };
    case 'VirtualMachineInstanceReplicaSet': {
      const instance = instanceOfReplicaSet(object as ReplicaSetLike);
      return instance && stored(instance, options);
    }
    case 'VirtualMachinePool': {
      const vm = virtualMachineOfPool(object as PoolLike, 0);
      if (!vm) return undefined;
      const admitted = admit(named(vm, identity), context);
      return admitted.errors.length > 0 ? { errors: admitted.errors } : instanceOf(admitted.object, options);
    }
    case 'VirtualMachine': {
      const vm = object as VirtualMachine;
      // admission lets it pass, and the platform waits for it
      const { problems } = expandInstance(vm, context);
      return problems.length > 0 ? { errors: problems } : stored(virtualMachineInstanceOf(vm, context), options);
    }
    default:
      return undefined;
  }
}

function stored(
  given: VirtualMachineInstance,
  { context, identity }: RenderOptions,
): { instance: VirtualMachineInstance } | { errors: readonly FieldError[] } {
  const { object, errors } = admit(named(given, identity), { ...context, by: { trusted: true } });
  return errors.length > 0 ? { errors } : { instance: object as VirtualMachineInstance };
}

/** The object with what the API server gives it before anybody sees it. */
function named<T extends KubeObject>(object: T, identity: Identity): T {
  if (typeof object.metadata !== 'object' || object.metadata === null) return object;
  const { name, generateName, namespace, uid }: ObjectMeta = object.metadata;
  return {
    ...object,
    metadata: {
      ...object.metadata,
      ...(!name && generateName ? { name: `${generateName}${identity.suffix()}` } : {}),
      ...(namespace || clusterWide.test(object.kind) ? {} : { namespace: 'default' }),
      // a set or pool that is not stored yet owns nothing
      ...(/^VirtualMachine(Instance)?$/.test(object.kind) ? { uid: uid || identity.uid() } : {}),
    },
  };
}

const clusterWide = /^(VirtualMachineCluster.*|MigrationPolicy|Plugin|StorageProfile|CDI(Config)?|ObjectTransfer)$/;
