import { createHash } from 'node:crypto';
import type { KubeVirtSpec } from '../../../api/generated/kubevirt-v1';
import { operatorConfigMaps } from '../../../api/install/strategy';
import { isAggregationLabel } from '../../../api/access';
import { keys } from '../../../api/keys';
import { isLabelValue } from '../../../api/names';
import type { PlatformObject } from '../../../api/platform';
import { MANAGED } from './managed';
import { patched, type Patched } from './patches';
import { customizedWorkload } from './workload';

/** Sources of the objects that must exist. */
export interface Sources {
  readonly namespace: string;
  /** Version of the platform. */
  readonly version: string;
  readonly definitions: readonly PlatformObject[];
  /** Objects of the install strategy. */
  readonly objects: readonly PlatformObject[];
  readonly spec: KubeVirtSpec;
  /** Certificates that sign virt-api's, PEM; absent if another program writes them. */
  readonly authorities?: string;
  /** Authorities that the user adds, PEM. */
  readonly externalAuthorities?: string;
  /** Content of the ConfigMap that identifies the API server to virt-api; absent while it is unknown. */
  readonly requestHeader?: Readonly<Record<string, string>>;
}

/** Returns every object as it must be. Pure. */
export function desiredObjects(sources: Sources): Patched {
  const { spec, objects, definitions } = sources;
  const all = [...definitions, ...configMaps(sources), ...objects].map((object) =>
    labelled(withAuthorities(customized(object, spec), sources.authorities), sources),
  );
  const { objects: result, problems } = patched(all, spec.customizeComponents?.patches ?? []);
  return { objects: result.map(withContent), problems: [...invalidLabels(spec), ...problems] };
}

/**
 * Adds the hash of an object. Only this hash shows that a field, such as a selector of nodes, is no longer desired: a field
 * that only the stored object has may be a default, or belong to others.
 */
function withContent(object: PlatformObject): PlatformObject {
  const hash = createHash('sha256').update(JSON.stringify(object)).digest('hex').slice(0, 32);
  const annotations = { ...object.metadata.annotations, [keys.installedContent]: hash };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function customized(object: PlatformObject, spec: KubeVirtSpec): PlatformObject {
  switch (object.kind) {
    case 'Deployment':
    case 'DaemonSet':
      return customizedWorkload(object, spec);
    case 'ClusterRole':
      return spec.configuration?.roleAggregationStrategy === 'Manual' ? withoutAggregation(object) : object;
    default:
      return object;
  }
}

/** Kubernetes' roles for users do not include a role without these labels. */
function withoutAggregation(role: PlatformObject): PlatformObject {
  const labels = Object.entries(role.metadata.labels ?? {}).filter(([name]) => !isAggregationLabel(name));
  return { ...role, metadata: { ...role.metadata, labels: Object.fromEntries(labels) } };
}

/** Writes the authorities into the objects through which the API server calls virt-api. */
function withAuthorities(object: PlatformObject, authorities: string | undefined): PlatformObject {
  if (authorities === undefined) return object;
  const caBundle = Buffer.from(authorities, 'utf8').toString('base64');
  if (object.kind === 'APIService') return { ...object, spec: { ...(object.spec as object), caBundle } };
  if (!/^(Mutating|Validating)WebhookConfiguration$/.test(object.kind)) return object;
  const webhooks = (object.webhooks as { clientConfig: object }[]).map((webhook) => ({
    ...webhook,
    clientConfig: { ...webhook.clientConfig, caBundle },
  }));
  return { ...object, webhooks };
}

function configMaps({ namespace, authorities, externalAuthorities, requestHeader }: Sources): PlatformObject[] {
  const made = (name: string, data: Readonly<Record<string, string>>): PlatformObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels: { 'kubevirt.io': '' } },
    data,
  });
  const bundle = [authorities, externalAuthorities].flatMap((pem) => (pem ? [pem.trim()] : [])).join('\n');
  return [
    // what virt-api knows already stays
    ...(requestHeader === undefined ? [] : [made(operatorConfigMaps.requestHeader, requestHeader)]),
    ...(authorities === undefined ? [] : [made(operatorConfigMaps.authorities, { 'ca-bundle': `${bundle}\n` })]),
  ];
}

/** An invalid label would let the API server reject every object. */
function invalidLabels({ productComponent, productName, productVersion }: KubeVirtSpec): string[] {
  return Object.entries({ productComponent, productName, productVersion }).flatMap(([field, value]) =>
    value === undefined || isLabelValue(value)
      ? []
      : [`spec.${field} "${value}" is not a valid value of a label, and is ignored; use letters, digits, - _ and .`],
  );
}

function labelled(object: PlatformObject, { spec, version }: Sources): PlatformObject {
  const { productComponent, productName, productVersion } = spec;
  const label = (name: string, ...values: (string | undefined)[]): Record<string, string> => {
    const value = values.find((each) => each !== undefined && isLabelValue(each));
    return value ? { [name]: value } : {};
  };
  const labels = {
    ...object.metadata.labels,
    ...MANAGED,
    ...label('app.kubernetes.io/component', productComponent, 'kubevirt'),
    ...label('app.kubernetes.io/version', productVersion, version),
    ...label('app.kubernetes.io/part-of', productName),
  };
  return { ...object, metadata: { ...object.metadata, labels } };
}
