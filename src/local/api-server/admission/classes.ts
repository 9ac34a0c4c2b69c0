import { compareQuantities } from '../../../api/quantity';
import { Store } from '../store/store';
import { isDefaultIngressClass } from '../kinds/ingress-class';
import { AnyObject } from '../types';
import { Attributes, forbid, isResource, Plugin } from './admission';

const PRIORITY_CLASSES = 'scheduling.k8s.io/priorityclasses';
const SYSTEM_PRIORITIES = ['system-node-critical', 'system-cluster-critical'];

/** Allows at most one default PriorityClass, and keeps those of the system. */
export class PriorityClassPlugin implements Plugin {
  public readonly name = 'Priority';

  public constructor(private readonly store: Store) {}

  public validate(attributes: Attributes): void {
    const { operation, name, object } = attributes;
    if (!isResource(attributes, 'scheduling.k8s.io', 'priorityclasses')) return;
    if (operation === 'DELETE') {
      if (SYSTEM_PRIORITIES.includes(name)) {
        throw forbid(attributes, 'this is a system priority class and cannot be deleted');
      }
      return;
    }
    if (!object?.globalDefault) return;
    const other = [...this.store.list({ resource: PRIORITY_CLASSES })].find(
      ({ globalDefault, metadata }) => globalDefault && metadata.name !== object.metadata.name,
    );
    if (!other) return;
    const why = `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`;
    throw forbid(attributes, why);
  }
}

/** Rejects Pods of a RuntimeClass: this server does not have any. */
export class RuntimeClassPlugin implements Plugin {
  public readonly name = 'RuntimeClass';

  public mutate(attributes: Attributes): void {
    const { operation, subresource, object } = attributes;
    if (operation !== 'CREATE' || subresource || !object || !isResource(attributes, '', 'pods')) return;
    const { runtimeClassName, overhead } = object.spec ?? {};
    if (runtimeClassName) {
      throw forbid(attributes, `pod rejected: RuntimeClass ${JSON.stringify(runtimeClassName)} not found`);
    }
    if (overhead && Object.keys(overhead as object).length) {
      throw forbid(attributes, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
    }
  }
}

/** Default class of its kind. If there are several, the newest wins, then the first by name. */
export function defaultClass(
  store: Store,
  resource: string,
  isDefault: (object: AnyObject) => boolean,
): string | undefined {
  const age = ({ metadata }: AnyObject): number => -Date.parse(metadata.creationTimestamp!);
  const found = [...store.list({ resource })].filter(isDefault);
  found.sort((a, b) => age(a) - age(b) || (a.metadata.name! < b.metadata.name! ? -1 : 1));
  return found[0]?.metadata.name;
}

const LEGACY_INGRESS_CLASS = 'kubernetes.io/ingress.class';

/** Sets the default class of an Ingress without a class. */
export class IngressClassPlugin implements Plugin {
  public readonly name = 'DefaultIngressClass';

  public constructor(private readonly store: Store) {}

  public mutate(attributes: Attributes): void {
    const { operation, subresource, object } = attributes;
    if (operation !== 'CREATE' || subresource || !object) return;
    if (!isResource(attributes, 'networking.k8s.io', 'ingresses')) return;
    if (object.spec?.ingressClassName !== undefined) return;
    if (object.metadata.annotations?.[LEGACY_INGRESS_CLASS] !== undefined) return;
    const name = defaultClass(this.store, 'networking.k8s.io/ingressclasses', isDefaultIngressClass);
    if (name !== undefined) object.spec = { ...object.spec, ingressClassName: name };
  }
}

const classOf = ({ metadata, spec }: AnyObject): string =>
  metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName ?? '';

/** Allows only bound claims of a class with expansion to grow. */
export class ClaimResizePlugin implements Plugin {
  public readonly name = 'PersistentVolumeClaimResize';

  public constructor(private readonly store: Store) {}

  public validate(attributes: Attributes): void {
    const { operation, subresource, object, oldObject } = attributes;
    if (operation !== 'UPDATE' || subresource || !object || !oldObject) return;
    if (!isResource(attributes, '', 'persistentvolumeclaims')) return;
    const [now, before] = [object, oldObject].map(({ spec }) => (spec?.resources?.requests?.storage as string) ?? '0');
    if (compareQuantities(now, before) <= 0) return;
    if (oldObject.status?.phase !== 'Bound') {
      throw forbid(attributes, 'Only bound persistent volume claims can be expanded');
    }
    const name = classOf(object);
    const found = name ? this.store.get({ resource: 'storage.k8s.io/storageclasses', namespace: '', name }) : undefined;
    if (name === classOf(oldObject) && found?.allowVolumeExpansion) return;
    throw forbid(
      attributes,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  }
}
