import type { KubeObject } from './meta';
import { mutatingWebhooks, validatingWebhooks, type Webhook } from './webhook-table';

/** Registration of virt-api in the cluster. */
export interface VirtApiRegistration {
  /** Namespace of the installation. */
  readonly namespace: string;
  /** PEM certificates that virt-api's serving certificate chains to. Absent: another program writes it later. */
  readonly caBundle?: string;
  /** Address of virt-api when it does not run in a Pod that the Service can select. */
  readonly endpoint?: { readonly addresses: readonly string[]; readonly port: number };
  /** Port of the virt-api Pods, without `endpoint`. Default: 8443. */
  readonly targetPort?: number;
  /** Whether the platform fills claims itself. Default: true. */
  readonly importer?: boolean;
}

const SERVICE = 'virt-api';
/** Longest timeout that Kubernetes allows for a webhook. */
const TIMEOUT_SECONDS = 10;

/** Objects with more than metadata. */
export type PlatformObject = KubeObject & Record<string, unknown>;

/** Returns the objects that register virt-api: Service, endpoints, webhooks and APIServices. */
export function virtApiRegistration(options: VirtApiRegistration): PlatformObject[] {
  return [
    virtApiService(options),
    ...(options.endpoint ? [virtApiEndpoints(options)] : []),
    ...virtApiServices(options),
    virtApiMutatingWebhooks(options),
    virtApiValidatingWebhooks(options),
  ];
}

/** Service through which the API server reaches virt-api. */
export function virtApiService({ namespace, endpoint, targetPort = 8443 }: VirtApiRegistration): PlatformObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: SERVICE, namespace, labels: { 'kubevirt.io': SERVICE } },
    spec: {
      type: 'ClusterIP',
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: endpoint?.port ?? targetPort }],
      ...(endpoint ? {} : { selector: { 'kubevirt.io': SERVICE } }),
    },
  };
}

/** Replaces the endpoints that Kubernetes creates for selected Pods. */
export function virtApiEndpoints({ namespace, endpoint }: VirtApiRegistration): PlatformObject {
  const addresses = endpoint?.addresses ?? [];
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: SERVICE, namespace, labels: { 'kubernetes.io/service-name': SERVICE, 'kubevirt.io': SERVICE } },
    addressType: addresses.some((address) => address.includes(':')) ? 'IPv6' : 'IPv4',
    ports: [{ name: 'https', port: endpoint?.port, protocol: 'TCP' }],
    endpoints: [{ addresses: [...addresses], conditions: { ready: true } }],
  };
}

/** Aggregated APIs of virt-api, as `VERSION.GROUP`. Without `importer`, CDI serves those of uploads. */
export const virtApiServiceNames = (importer = true): readonly string[] => [
  'v1.subresources.kubevirt.io',
  'v1alpha3.subresources.kubevirt.io',
  ...(importer ? ['v1beta1.upload.cdi.kubevirt.io', 'v1alpha1.upload.cdi.kubevirt.io'] : []),
];

/** Groups that virt-api serves through the API server. */
export function virtApiServices({ namespace, caBundle, importer = true }: VirtApiRegistration): PlatformObject[] {
  return virtApiServiceNames(importer).map((name) => {
    const [version = ''] = name.split('.', 1);
    return {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name, labels: { 'kubevirt.io': 'virt-api-aggregator' } },
      spec: {
        group: name.slice(version.length + 1),
        version,
        groupPriorityMinimum: 1000,
        versionPriority: 15,
        service: { name: SERVICE, namespace, port: 443 },
        ...bundle(caBundle),
      },
    };
  });
}

/** Registers the webhooks that set defaults. */
export function virtApiMutatingWebhooks(options: VirtApiRegistration): PlatformObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'virt-api-mutator', labels: { 'kubevirt.io': 'virt-api-mutator' } },
    webhooks: mutatingWebhooks.map((hook) => webhook(hook, options)),
  };
}

/** Registers the webhooks that reject invalid objects. */
export function virtApiValidatingWebhooks(options: VirtApiRegistration): PlatformObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'virt-api-validator', labels: { 'kubevirt.io': 'virt-api-validator' } },
    webhooks: validatingWebhooks.map((hook) => webhook(hook, options)),
  };
}

function webhook(hook: Webhook, { namespace, caBundle }: VirtApiRegistration): object {
  return {
    name: hook.name,
    admissionReviewVersions: ['v1'],
    clientConfig: {
      service: { name: SERVICE, namespace, path: hook.path, port: 443 },
      ...bundle(caBundle),
    },
    rules: [
      {
        apiGroups: [hook.group],
        apiVersions: [...hook.versions],
        operations: [...hook.operations],
        resources: [...hook.resources],
        scope: '*',
      },
    ],
    // a VM must not be stored without validation
    failurePolicy: hook.mayFail ? 'Ignore' : 'Fail',
    matchPolicy: 'Equivalent',
    sideEffects: 'None',
    timeoutSeconds: TIMEOUT_SECONDS,
    ...(hook.labels ? { objectSelector: { matchLabels: { ...hook.labels } } } : {}),
    ...(hook.condition ? { matchConditions: [{ ...hook.condition }] } : {}),
    ...(hook.again ? { reinvocationPolicy: 'IfNeeded' } : {}),
  };
}

/** Field that is absent when another program owns it. */
const bundle = (pem: string | undefined): { caBundle?: string } =>
  pem === undefined ? {} : { caBundle: Buffer.from(pem, 'utf8').toString('base64') };
