import { randomInt } from 'node:crypto';
import { errors } from '../errors';
import { clone } from '../json/values';
import { subjectOf } from '../registry/kind';
import { Store } from '../store/store';
import { AnyObject } from '../types';
import { isDefaultClass } from '../kinds/storage';
import { Attributes, Plugin } from './admission';
import { defaultClass } from './classes';

const TOKEN_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
/** Lifetime of tokens as in Kubernetes: an hour and a margin for clock skew. */
const TOKEN_SECONDS = 3607;
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

const isPodCreate = ({ operation, kind, subresource, object }: Attributes) =>
  operation === 'CREATE' && kind.plural === 'pods' && !kind.group && !subresource && object !== undefined;

/** Requires an existing ServiceAccount for every Pod, and mounts its token unless Pod or account disable it. */
export class ServiceAccountPlugin implements Plugin {
  public readonly name = 'ServiceAccount';

  public constructor(private readonly store: Store) {}

  public mutate(attributes: Attributes): void {
    if (!isPodCreate(attributes)) return;
    const { object, namespace, kind, name } = attributes;
    const { spec, metadata } = object!;
    // A mirror Pod of a kubelet has no account.
    if (metadata.annotations?.['kubernetes.io/config.mirror']) return;
    spec.serviceAccountName ||= 'default';
    spec.serviceAccount = spec.serviceAccountName;
    const account = this.store.get({ resource: '/serviceaccounts', namespace, name: spec.serviceAccountName });
    if (!account) {
      throw errors.forbidden(
        subjectOf(kind),
        name,
        `error looking up service account ${namespace}/${spec.serviceAccountName}: serviceaccount ${JSON.stringify(spec.serviceAccountName)} not found`,
      );
    }
    if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length) {
      spec.imagePullSecrets = clone(account.imagePullSecrets);
    }
    const mounts = spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
    if (mounts) mountToken(spec);
  }
}

function mountToken(spec: AnyObject['spec']): void {
  const containers: { volumeMounts?: { mountPath: string; name: string; readOnly?: boolean }[] }[] = [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
  ];
  const without = containers.filter(
    ({ volumeMounts = [] }) => !volumeMounts.some((mount) => mount.mountPath === TOKEN_PATH),
  );
  if (!without.length) return;
  const suffix = Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const existing = ((spec.volumes ?? []) as { name: string }[]).find(({ name }) => name.startsWith('kube-api-access-'));
  const name = existing?.name ?? `kube-api-access-${suffix}`;
  if (!existing) {
    spec.volumes = [
      ...(spec.volumes ?? []),
      {
        name,
        projected: {
          defaultMode: 0o644,
          sources: [
            { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
            { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
            {
              downwardAPI: {
                items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
              },
            },
          ],
        },
      },
    ];
  }
  for (const container of without) {
    container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath: TOKEN_PATH }];
  }
}

/** Resolves `priorityClassName` to a number. */
export class PriorityPlugin implements Plugin {
  public readonly name = 'Priority';

  public constructor(private readonly store: Store) {}

  public mutate(attributes: Attributes): void {
    if (!isPodCreate(attributes)) return;
    const { object, kind, name } = attributes;
    const { spec } = object!;
    const classes = [...this.store.list({ resource: 'scheduling.k8s.io/priorityclasses' })];
    let found: AnyObject | undefined;
    if (spec.priorityClassName) {
      found = classes.find((item) => item.metadata.name === spec.priorityClassName);
      if (!found) {
        throw errors.forbidden(subjectOf(kind), name, `no PriorityClass with name ${spec.priorityClassName} was found`);
      }
    } else {
      found = classes.find((item) => item.globalDefault);
      if (found) spec.priorityClassName = found.metadata.name;
    }
    const priority: number = found?.value ?? 0;
    if (spec.priority !== undefined && spec.priority !== priority) {
      throw errors.forbidden(
        subjectOf(kind),
        name,
        `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
      );
    }
    spec.priority = priority;
    const policy: string = found?.preemptionPolicy ?? 'PreemptLowerPriority';
    if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
      throw errors.forbidden(
        subjectOf(kind),
        name,
        `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
      );
    }
    spec.preemptionPolicy = policy;
  }
}

/** Adds tolerations that keep a Pod for five minutes on an unresponsive node, unless it sets its own. */
export class TolerationsPlugin implements Plugin {
  public readonly name = 'DefaultTolerationSeconds';

  public mutate(attributes: Attributes): void {
    const { operation, kind, subresource, object } = attributes;
    if (!['CREATE', 'UPDATE'].includes(operation) || kind.plural !== 'pods' || kind.group || subresource || !object)
      return;
    const tolerations: { key?: string; effect?: string }[] = object.spec.tolerations ?? [];
    for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
      const tolerated = tolerations.some(
        (item) => (item.key === key || !item.key) && (item.effect === 'NoExecute' || !item.effect),
      );
      if (tolerated) continue;
      object.spec.tolerations = [
        ...(object.spec.tolerations ?? []),
        { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      ];
    }
  }
}

/** Sets the default storage class of a claim without a class. */
export class StorageClassPlugin implements Plugin {
  public readonly name = 'DefaultStorageClass';

  public constructor(private readonly store: Store) {}

  public mutate({ operation, kind, subresource, object }: Attributes): void {
    if (operation !== 'CREATE' || kind.plural !== 'persistentvolumeclaims' || kind.group || subresource || !object)
      return;
    if (object.spec?.storageClassName !== undefined) return;
    if (object.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] !== undefined) return;
    const name = defaultClass(this.store, 'storage.k8s.io/storageclasses', isDefaultClass);
    if (name !== undefined) object.spec = { ...object.spec, storageClassName: name };
  }
}
