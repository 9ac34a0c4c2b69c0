import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { admissionOf, clusterConfig, root } from '../../../api';
import type {
  AdmissionContext,
  cdi,
  ClusterConfig,
  Finding,
  KubeObject,
  KubeVirt,
  VirtualMachineInstance,
} from '../../../api';
import { instanceNameOf, withSharedPaths } from '../../../api/kinds/launcher-pod';
import type { PodLike } from '../../../api/kinds/launcher-pod';
import { tooManyValues } from '../../../api/kinds/bounded';
import { refusal, when } from '../../../api/kinds/refusal';
import { admitStatus } from '../../../api/kinds/status';
import { mutatingWebhooks, validatingWebhooks } from '../../../api/webhook-table';
import type { WebhookStage } from '../../../api/webhook-table';
import { allowedSource } from '../../../api/cdi/clone-source';
import { keys } from '../../../api/keys';
import { decideWith } from '../../kube';
import type { CloneStatement, Source } from '../../kube';
import { badRequest } from '../status';
import { admitEviction } from './eviction';
import { isComponent } from './identity';
import { MOST_STORED_VALUES } from './review';
import type { AdmissionRequest, Admit, Verdict } from './review';

export interface WebhookOptions {
  /** Namespace of the installation: its ServiceAccounts are the components. */
  readonly namespace: string;
  /** The KubeVirt resource as last seen; without one, defaults apply. */
  readonly kubeVirt: () => KubeObject | undefined;
  /** The cluster with the requesting user's permissions. After `signal` is aborted, answers are not needed any more. */
  readonly cluster: (request: AdmissionRequest, signal?: AbortSignal) => Source;
  /**
   * Signs that the author of a DataVolume may copy a source. Undefined if the callers of webhooks are not authenticated: anyone
   * could then obtain a proof in the name of any user.
   */
  readonly sign?: (statement: CloneStatement) => string;
}

type PureStage = Exclude<WebhookStage, 'eviction' | 'clone-token'>;
type Decide = (request: AdmissionRequest, context: AdmissionContext) => Verdict;

/** Pure: rules are evaluated again when the objects that they look up have been read. */
const decisions: Record<PureStage, Decide> = {
  mutate: (request, context) =>
    request.outlined ? { errors: outlinedStatusStays(request, context) } : { object: mutated(request, context) },
  validate: verdictOf,
  'validate-status': (request, context) => ({
    errors: request.outlined ? [] : admitStatus(objectOf(request), request.oldObject, context),
  }),
  'launcher-pod': (request, { find, config }) => {
    const pod = objectOf<PodLike>(request);
    // each start of a guest calls this webhook: without the feature, nothing is looked up
    const name = config.hasGate('ContainerPathVolumes') ? instanceNameOf(pod) : undefined;
    const vmi = name === undefined ? undefined : find('VirtualMachineInstance', pod.metadata.namespace, name);
    return vmi ? { object: withSharedPaths(pod, vmi as VirtualMachineInstance, config) } : {};
  },
};

/** Webhooks by path. The rules are those of synth: `src/api`. */
export function createWebhooks(options: WebhookOptions): ReadonlyMap<string, Admit> {
  const config = cached(options.kubeVirt);
  const decided =
    (decide: Decide): Admit =>
    (request, signal) => {
      const suffix = randomSuffix();
      const { username } = request.userInfo;
      const trusted = isComponent(username, options.namespace);
      const complete = withNamespace(request);
      return decideWith(options.cluster(request, signal), ({ find, list, may }) =>
        decide(complete, { config: config(), by: { trusted, username, may }, find, list, suffix }),
      );
    };
  const admitOf = (stage: WebhookStage): Admit => {
    switch (stage) {
      case 'eviction':
        return (request, signal) => admitEviction(request, options.cluster(request, signal), config());
      case 'clone-token':
        return decided((request, context) => ({ object: withCloneToken(request, context, options.sign) }));
      default:
        return decided(decisions[stage]);
    }
  };
  return new Map(
    [...mutatingWebhooks, ...validatingWebhooks].map(({ path, stage }): [string, Admit] => [path, admitOf(stage)]),
  );
}

/** A DataVolume with a proof that its author may copy the source. A token of the user is removed. */
function withCloneToken(
  request: AdmissionRequest,
  context: AdmissionContext,
  sign: WebhookOptions['sign'],
): KubeObject | undefined {
  if (request.outlined) return undefined;
  const object = objectOf<cdi.DataVolume & KubeObject>(request);
  const { namespace = '', name, generateName, annotations = {} } = object.metadata;
  const { [keys.cloneToken]: theirs, ...others } = annotations;
  const from = sign ? allowedSource(object, context) : undefined;
  if (!from && theirs === undefined) return object;
  const token =
    from && sign?.({ from, to: { namespace, ...(name ? { name } : { prefix: generateName }) }, issuedAt: Date.now() });
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...others, ...(token && { [keys.cloneToken]: token }) } },
  };
}

/** The configuration is computed once for each version of the KubeVirt resource. */
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

/** Random suffix in the form that the API server generates. */
function randomSuffix(): string {
  const letters = 'bcdfghjklmnpqrstvwxz2456789';
  return Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
}

/** Rules look up other objects of the namespace, so the object must contain it. */
function withNamespace(request: AdmissionRequest): AdmissionRequest {
  const { object, namespace } = request;
  if (!namespace || typeof object?.metadata !== 'object' || object.metadata === null) return request;
  return { ...request, object: { ...object, metadata: { ...object.metadata, namespace } } };
}

function objectOf<T extends KubeObject>(request: AdmissionRequest): T {
  if (!request.object) throw badRequest(`the request of ${request.operation} has no object`);
  return request.object as T;
}

/** An UPDATE or DELETE contains the previous state. */
function oldObjectOf(request: AdmissionRequest): KubeObject {
  if (!request.oldObject) throw badRequest(`the request of ${request.operation} has no oldObject`);
  return request.oldObject;
}

function mutated(request: AdmissionRequest, context: AdmissionContext): KubeObject {
  const object = objectOf(request);
  return object.kind === 'VirtualMachineInstance' ? mutatedInstance(request, context) : defaulted(object, context);
}

const defaulted = (object: KubeObject, context: AdmissionContext): KubeObject =>
  admissionOf(object)?.mutate?.(object, context) ?? object;

function verdictOf(request: AdmissionRequest, context: AdmissionContext): Verdict {
  if (request.operation === 'DELETE') {
    const object = oldObjectOf(request);
    const mayGo = admissionOf(object)?.delete;
    if (!mayGo) return {};
    // these rules read the spec and the status
    return { errors: request.outlined ? [tooManyValues(MOST_STORED_VALUES)] : mayGo(object, context) };
  }
  const object = objectOf(request);
  const rules = admissionOf(object);
  if (!rules) return {};
  const old = request.operation === 'UPDATE' ? oldObjectOf(request) : undefined;
  if (request.outlined) return { errors: rules.identity?.(object, oldObjectOf(request), context) ?? [] };
  const errors: Finding[] = old ? (rules.update?.(object, old, context) ?? []) : rules.create(object, context);
  return { errors, warnings: rules.warnings?.(object, context, old) };
}

/**
 * A VMI has no status subresource: its status comes with every write. A status that a user writes is dropped, since the
 * components act on it.
 */
function mutatedInstance(request: AdmissionRequest, context: AdmissionContext): KubeObject {
  const vmi = objectOf<VirtualMachineInstance>(request);
  const component = context.by.trusted;
  if (request.operation === 'CREATE') {
    const { status: _theirs, ...rest } = vmi;
    return defaulted(component ? vmi : rest, context);
  }
  const before = (request.oldObject as VirtualMachineInstance | null | undefined)?.status;
  if (component || isDeepStrictEqual(vmi.status, before)) return vmi;
  const { status: _theirs, ...rest } = vmi;
  return { ...rest, ...(before ? { status: before } : {}) } as KubeObject;
}

/** A truncated status cannot be restored as in `mutatedInstance`, so a user's write that changes it is rejected. */
function outlinedStatusStays(request: AdmissionRequest, { by }: AdmissionContext): Finding[] {
  const object = objectOf<VirtualMachineInstance>(request);
  if (by.trusted || object.kind !== 'VirtualMachineInstance') return [];
  const before = oldObjectOf(request) as VirtualMachineInstance;
  // a status that is neither an object nor a list was not truncated
  const changes = request.statusChanges || !isDeepStrictEqual(object.status, before.status);
  const message = 'only components of KubeVirt may change the status of a VirtualMachineInstance';
  return when(changes, refusal('instance-status', root.at('status'), message, 'leave the status as it is stored'));
}
