/**
 * Shapes of the kinds of Kubernetes that are applied together with VMs. They list every field, but an unknown one is
 * reported only with a remedy: a newer Kubernetes may have it.
 */
import { type Finding, root } from '../findings';
import type { KubeObject } from '../meta';
import { type Schema, validateWith } from '../schema';

const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const integer: Schema = { type: 'integer' };
const port: Schema = { 'x-kubernetes-int-or-string': true };
const any: Schema = {};
const texts: Schema = { type: 'array', items: text };
const textMap: Schema = { type: 'object', additionalProperties: text };
const selector: Schema = { $ref: 'meta_v1/LabelSelector' };
const oneOf = (...allowed: string[]): Schema => ({ type: 'string', enum: allowed });
const listOf = (items: Schema): Schema => ({ type: 'array', items });
/** An object with these fields; the names of required ones end with an exclamation mark. */
const fields = (given: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(given).flatMap((name) => (name.endsWith('!') ? [name.slice(0, -1)] : [])),
  properties: Object.fromEntries(Object.entries(given).map(([name, schema]) => [name.replace('!', ''), schema])),
});

const protocol = oneOf('TCP', 'UDP', 'SCTP');
const accessModes = listOf(oneOf('ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'));
const source = fields({ apiGroup: text, 'kind!': text, 'name!': text, namespace: text });

const claim = fields({
  'accessModes!': { ...accessModes, minItems: 1 },
  dataSource: source,
  dataSourceRef: source,
  'resources!': { $ref: 'core_v1/VolumeResourceRequirements' },
  selector,
  storageClassName: text,
  volumeAttributesClassName: text,
  volumeMode: oneOf('Block', 'Filesystem'),
  volumeName: text,
});

const service = fields({
  allocateLoadBalancerNodePorts: flag,
  clusterIP: text,
  clusterIPs: texts,
  externalIPs: texts,
  externalName: text,
  externalTrafficPolicy: oneOf('Cluster', 'Local'),
  healthCheckNodePort: integer,
  internalTrafficPolicy: oneOf('Cluster', 'Local'),
  ipFamilies: listOf(oneOf('IPv4', 'IPv6')),
  ipFamilyPolicy: oneOf('PreferDualStack', 'RequireDualStack', 'SingleStack'),
  loadBalancerClass: text,
  loadBalancerIP: text,
  loadBalancerSourceRanges: texts,
  ports: listOf(
    fields({ appProtocol: text, name: text, nodePort: integer, 'port!': integer, protocol, targetPort: port }),
  ),
  publishNotReadyAddresses: flag,
  selector: textMap,
  sessionAffinity: oneOf('ClientIP', 'None'),
  sessionAffinityConfig: any,
  trafficDistribution: text,
  type: oneOf('ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'),
});

const backend = fields({
  service: fields({ 'name!': text, port: fields({ name: text, number: integer }) }),
  resource: source,
});
const ingressPath = fields({
  path: text,
  'pathType!': oneOf('Exact', 'ImplementationSpecific', 'Prefix'),
  'backend!': backend,
});
const ingress = fields({
  defaultBackend: backend,
  ingressClassName: text,
  rules: listOf(fields({ host: text, http: fields({ 'paths!': listOf(ingressPath) }) })),
  tls: listOf(fields({ hosts: texts, secretName: text })),
});

const peers = listOf(
  fields({ podSelector: selector, namespaceSelector: selector, ipBlock: fields({ 'cidr!': text, except: texts }) }),
);
const policyPorts = listOf(fields({ port, endPort: integer, protocol }));
const networkPolicy = fields({
  podSelector: selector,
  ingress: listOf(fields({ from: peers, ports: policyPorts })),
  egress: listOf(fields({ to: peers, ports: policyPorts })),
  policyTypes: listOf(oneOf('Egress', 'Ingress')),
});

const budget = fields({
  minAvailable: port,
  maxUnavailable: port,
  selector,
  unhealthyPodEvictionPolicy: oneOf('AlwaysAllow', 'IfHealthyBudget'),
});

const autoscaler = fields({
  'scaleTargetRef!': fields({ apiVersion: text, 'kind!': text, 'name!': text }),
  minReplicas: integer,
  'maxReplicas!': integer,
  metrics: listOf({ type: 'object', required: ['type'] }),
  behavior: { type: 'object' },
});

/** Object whose fields are in `spec`. */
const spec = (schema: Schema, isRequired = true): Readonly<Record<string, Schema>> => ({
  [isRequired ? 'spec!' : 'spec']: schema,
  status: any,
});
const BINDING = oneOf('Immediate', 'WaitForFirstConsumer');
const RECLAIM = oneOf('Delete', 'Retain');

/** Fields besides apiVersion, kind and metadata, by apiVersion and kind. */
const shapes: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  'v1 PersistentVolumeClaim': spec(claim),
  'v1 Secret': { data: textMap, stringData: textMap, immutable: flag, type: text },
  'v1 ConfigMap': { data: textMap, binaryData: textMap, immutable: flag },
  'v1 Service': spec(service),
  'networking.k8s.io/v1 Ingress': spec(ingress),
  'networking.k8s.io/v1 NetworkPolicy': spec(networkPolicy),
  'policy/v1 PodDisruptionBudget': spec(budget),
  'autoscaling/v2 HorizontalPodAutoscaler': spec(autoscaler),
  'k8s.cni.cncf.io/v1 NetworkAttachmentDefinition': spec(fields({ config: text }), false),
  'storage.k8s.io/v1 StorageClass': {
    'provisioner!': text,
    parameters: textMap,
    reclaimPolicy: RECLAIM,
    mountOptions: texts,
    allowVolumeExpansion: flag,
    volumeBindingMode: BINDING,
    allowedTopologies: any,
  },
  'snapshot.storage.k8s.io/v1 VolumeSnapshotClass': {
    'driver!': text,
    'deletionPolicy!': RECLAIM,
    parameters: textMap,
  },
};

/** Versions that Kubernetes has removed, and the present one. */
const removed: Readonly<Record<string, string>> = {
  'extensions/v1beta1 Ingress': 'networking.k8s.io/v1',
  'networking.k8s.io/v1beta1 Ingress': 'networking.k8s.io/v1',
  'extensions/v1beta1 NetworkPolicy': 'networking.k8s.io/v1',
  'policy/v1beta1 PodDisruptionBudget': 'policy/v1',
  'autoscaling/v2beta1 HorizontalPodAutoscaler': 'autoscaling/v2',
  'autoscaling/v2beta2 HorizontalPodAutoscaler': 'autoscaling/v2',
  'batch/v1beta1 CronJob': 'batch/v1',
  'snapshot.storage.k8s.io/v1beta1 VolumeSnapshot': 'snapshot.storage.k8s.io/v1',
  'snapshot.storage.k8s.io/v1beta1 VolumeSnapshotClass': 'snapshot.storage.k8s.io/v1',
  'storage.k8s.io/v1beta1 StorageClass': 'storage.k8s.io/v1',
};

/** Groups of the kinds above, for an object with the right kind and another version. */
const present: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(shapes).map((key) => key.split(' ').reverse() as [string, string]),
);

const whole = new Map<string, Schema>();
function schemaOf(key: string): Schema | undefined {
  if (!Object.hasOwn(shapes, key)) return undefined;
  let schema = whole.get(key);
  if (!schema) {
    const metadata: Schema = { $ref: 'meta_v1/ObjectMeta' };
    whole.set(key, (schema = fields({ apiVersion: text, kind: text, metadata, ...shapes[key] })));
  }
  return schema;
}

/** Whether the shape of this kind is known. */
export const hasShape = ({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean =>
  Object.hasOwn(shapes, `${apiVersion} ${kind}`) || versionToWrite({ apiVersion, kind }) !== undefined;

/** Returns the version of a kind whose own is not served: removed, or of a kind without one (`v1` for an Ingress). */
function versionToWrite({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): string | undefined {
  const key = `${apiVersion} ${kind}`;
  if (Object.hasOwn(removed, key)) return removed[key];
  const served = Object.hasOwn(present, kind) ? present[kind] : undefined;
  // every object of the core is v1, and no other group of Kubernetes has a kind of this name
  return served !== undefined && served !== apiVersion && (apiVersion === 'v1' || BUILT_IN.test(apiVersion))
    ? served
    : undefined;
}

const BUILT_IN = /^(apps|core|batch)\/v1$/;

/** Returns every mistake in the shape of a Kubernetes object. */
export function kubernetesShape(object: KubeObject): Finding[] {
  const { apiVersion, kind } = object;
  const served = versionToWrite(object);
  if (served !== undefined) {
    const cause = `Kubernetes has no ${kind} in ${apiVersion}`;
    const remedy = `write apiVersion: ${served}, and compare the fields with that version`;
    return [{ rule: 'kubernetes-version', path: root.at('apiVersion'), value: apiVersion, cause, remedy }];
  }
  const schema = schemaOf(`${apiVersion} ${kind}`);
  if (!schema) return [];
  return validateWith(schema, object).filter(
    ({ rule, remedy }) => rule !== 'schema-unknown-field' || remedy !== 'remove it',
  );
}
