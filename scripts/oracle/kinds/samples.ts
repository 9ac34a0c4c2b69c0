/** One valid object of each built-in kind that the engine serves. The name `sample` is replaced. */
export interface Sample {
  /** `/api/v1` or `/apis/GROUP/VERSION`. */
  readonly base: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly object: Record<string, unknown>;
  /** A merge patch that changes the spec, or data. */
  readonly change: Record<string, unknown>;
  /** A merge patch of the status subresource. */
  readonly status?: Record<string, unknown>;
}

const labels = { app: 'sample' };
const container = { name: 'c', image: 'registry.example/app:1' };
const template = { metadata: { labels }, spec: { containers: [container] } };

export function sample(
  apiVersion: string,
  kind: string,
  plural: string,
  namespaced: boolean,
  fields: Record<string, unknown>,
  change: Record<string, unknown>,
  status?: Record<string, unknown>,
): Sample {
  return {
    base: apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`,
    plural,
    namespaced,
    object: { apiVersion, kind, metadata: { name: 'sample' }, ...fields },
    change,
    ...(status ? { status } : {}),
  };
}

const webhook = {
  name: 'hook.example.com',
  clientConfig: { url: 'https://127.0.0.1:9/hook' },
  rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['nothings'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};

const RBAC = 'rbac.authorization.k8s.io';
const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }];
const subjects = [{ kind: 'User', name: 'alice', apiGroup: RBAC }];

export const samples: readonly Sample[] = [
  sample(
    'v1',
    'Pod',
    'pods',
    true,
    {
      spec: {
        containers: [
          {
            ...container,
            ports: [{ containerPort: 80, name: 'http' }],
            env: [{ name: 'A', value: 'b' }],
            resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
            readinessProbe: { httpGet: { path: '/', port: 80 } },
            volumeMounts: [{ name: 'v', mountPath: '/v' }],
            securityContext: { runAsUser: 1000, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          },
        ],
        initContainers: [{ name: 'i', image: 'registry.example/init:1', command: ['true'] }],
        volumes: [{ name: 'v', emptyDir: {} }],
        tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
        nodeSelector: { disk: 'ssd' },
        restartPolicy: 'OnFailure',
        terminationGracePeriodSeconds: 10,
      },
    },
    { spec: { containers: [{ ...container, image: 'registry.example/app:2' }] } },
    { status: { phase: 'Running', podIP: '10.1.2.3' } },
  ),
  sample(
    'v1',
    'Service',
    'services',
    true,
    { spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }] } },
    { spec: { selector: { app: 'other' } } },
    { status: { loadBalancer: {} } },
  ),
  sample('v1', 'ConfigMap', 'configmaps', true, { data: { a: 'b' } }, { data: { a: 'c', d: 'e' } }),
  sample('v1', 'Secret', 'secrets', true, { type: 'Opaque', data: { a: 'Yg==' } }, { stringData: { c: 'd' } }),
  sample('v1', 'ServiceAccount', 'serviceaccounts', true, {}, { automountServiceAccountToken: false }),
  sample(
    'v1',
    'PersistentVolumeClaim',
    'persistentvolumeclaims',
    true,
    { spec: { accessModes: ['ReadWriteOnce'], storageClassName: '', resources: { requests: { storage: '1Gi' } } } },
    { spec: { resources: { requests: { storage: '2Gi' } } } },
    { status: { phase: 'Bound' } },
  ),
  sample(
    'v1',
    'PersistentVolume',
    'persistentvolumes',
    false,
    { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x', type: '' } } },
    { spec: { persistentVolumeReclaimPolicy: 'Recycle' } },
    { status: { phase: 'Available' } },
  ),
  sample('v1', 'Namespace', 'namespaces', false, {}, { metadata: { annotations: { x: 'y' } } }, { status: {} }),
  sample(
    'v1',
    'Node',
    'nodes',
    false,
    { spec: { podCIDR: '10.9.0.0/24', podCIDRs: ['10.9.0.0/24'] } },
    { spec: { unschedulable: true } },
    { status: { capacity: { cpu: '2' } } },
  ),
  sample(
    'v1',
    'Endpoints',
    'endpoints',
    true,
    { subsets: [{ addresses: [{ ip: '10.1.1.1' }], ports: [{ port: 80 }] }] },
    { subsets: [{ addresses: [{ ip: '10.1.1.2' }], ports: [{ port: 81, name: 'x' }] }] },
  ),
  sample(
    'v1',
    'Event',
    'events',
    true,
    {
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'NAMESPACE' },
      reason: 'R',
      message: 'm',
      type: 'Normal',
      count: 1,
    },
    { count: 2 },
  ),
  sample(
    'v1',
    'LimitRange',
    'limitranges',
    true,
    { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '5Gi' }, min: { storage: '1Mi' } }] } },
    { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '6Gi' } }] } },
  ),
  sample(
    'v1',
    'ResourceQuota',
    'resourcequotas',
    true,
    { spec: { hard: { 'count/leases.coordination.k8s.io': '1000' } } },
    { spec: { hard: { 'count/leases.coordination.k8s.io': '2000' } } },
    { status: { hard: { pods: '1' }, used: { pods: '0' } } },
  ),
  sample(
    'apps/v1',
    'Deployment',
    'deployments',
    true,
    { spec: { replicas: 0, selector: { matchLabels: labels }, template } },
    { spec: { replicas: 1, paused: true } },
    { status: { observedGeneration: 1, replicas: 0 } },
  ),
  sample(
    'apps/v1',
    'ReplicaSet',
    'replicasets',
    true,
    { spec: { replicas: 0, selector: { matchLabels: labels }, template } },
    { spec: { replicas: 1 } },
    { status: { replicas: 0, observedGeneration: 1 } },
  ),
  sample(
    'apps/v1',
    'StatefulSet',
    'statefulsets',
    true,
    { spec: { replicas: 0, serviceName: 's', selector: { matchLabels: labels }, template } },
    { spec: { replicas: 1 } },
    { status: { replicas: 0 } },
  ),
  sample(
    'apps/v1',
    'DaemonSet',
    'daemonsets',
    true,
    { spec: { selector: { matchLabels: labels }, template } },
    { spec: { minReadySeconds: 3 } },
    { status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 } },
  ),
  sample(
    'apps/v1',
    'ControllerRevision',
    'controllerrevisions',
    true,
    { revision: 1, data: { a: 1 } },
    { revision: 2 },
  ),
  sample(
    'batch/v1',
    'Job',
    'jobs',
    true,
    { spec: { suspend: true, template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
    { spec: { parallelism: 2 } },
    { status: { active: 1 } },
  ),
  sample(
    'batch/v1',
    'CronJob',
    'cronjobs',
    true,
    {
      spec: {
        schedule: '*/5 * * * *',
        suspend: true,
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
      },
    },
    { spec: { schedule: '0 1 * * *' } },
    { status: {} },
  ),
  sample(
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    true,
    {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
        maxReplicas: 3,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
        ],
      },
    },
    { spec: { maxReplicas: 5 } },
    { status: { currentReplicas: 1, desiredReplicas: 1, conditions: [] } },
  ),
  sample(
    'policy/v1',
    'PodDisruptionBudget',
    'poddisruptionbudgets',
    true,
    { spec: { minAvailable: 1, selector: { matchLabels: labels } } },
    { spec: { minAvailable: '50%' } },
    { status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 1, expectedPods: 0 } },
  ),
  sample(
    'networking.k8s.io/v1',
    'NetworkPolicy',
    'networkpolicies',
    true,
    {
      spec: {
        podSelector: { matchLabels: labels },
        policyTypes: ['Ingress'],
        ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }], ports: [{ port: 80 }] }],
      },
    },
    { spec: { policyTypes: ['Ingress', 'Egress'] } },
  ),
  sample(
    'networking.k8s.io/v1',
    'Ingress',
    'ingresses',
    true,
    {
      spec: {
        rules: [
          {
            host: 'a.example',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
            },
          },
        ],
        tls: [{ hosts: ['a.example'], secretName: 't' }],
      },
    },
    { spec: { ingressClassName: 'x' } },
    { status: { loadBalancer: {} } },
  ),
  sample(
    'networking.k8s.io/v1',
    'IngressClass',
    'ingressclasses',
    false,
    { spec: { controller: 'example.com/c' } },
    { metadata: { labels: { a: 'b' } } },
  ),
  sample(`${RBAC}/v1`, 'Role', 'roles', true, { rules }, { rules: [{ ...rules[0], verbs: ['get'] }] }),
  sample(
    `${RBAC}/v1`,
    'RoleBinding',
    'rolebindings',
    true,
    { roleRef: { apiGroup: RBAC, kind: 'Role', name: 'r' }, subjects },
    { subjects: [] },
  ),
  sample(`${RBAC}/v1`, 'ClusterRole', 'clusterroles', false, { rules }, { rules: [] }),
  sample(
    `${RBAC}/v1`,
    'ClusterRoleBinding',
    'clusterrolebindings',
    false,
    { roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'r' }, subjects },
    { subjects: [{ kind: 'ServiceAccount', name: 's', namespace: 'default' }] },
  ),
  sample(
    'storage.k8s.io/v1',
    'StorageClass',
    'storageclasses',
    false,
    { provisioner: 'example.com/p', parameters: { a: 'b' } },
    { allowVolumeExpansion: true },
  ),
  sample('scheduling.k8s.io/v1', 'PriorityClass', 'priorityclasses', false, { value: 100 }, { description: 'd' }),
  sample(
    'coordination.k8s.io/v1',
    'Lease',
    'leases',
    true,
    { spec: { holderIdentity: 'h', leaseDurationSeconds: 10 } },
    { spec: { leaseTransitions: 1 } },
  ),
  sample(
    'discovery.k8s.io/v1',
    'EndpointSlice',
    'endpointslices',
    true,
    { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.1.1'] }], ports: [{ name: 'p', port: 80 }] },
    { endpoints: [{ addresses: ['10.1.1.2'], conditions: { ready: true } }] },
  ),
  sample(
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    'validatingwebhookconfigurations',
    false,
    { webhooks: [webhook] },
    { webhooks: [{ ...webhook, timeoutSeconds: 5 }] },
  ),
  sample(
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration',
    'mutatingwebhookconfigurations',
    false,
    { webhooks: [webhook] },
    { webhooks: [{ ...webhook, reinvocationPolicy: 'IfNeeded' }] },
  ),
  sample(
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicy',
    'validatingadmissionpolicies',
    false,
    {
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['nothings'] },
          ],
        },
        validations: [{ expression: 'object.metadata.name != "x"', message: 'm' }],
      },
    },
    { spec: { failurePolicy: 'Ignore' } },
  ),
  sample(
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    'validatingadmissionpolicybindings',
    false,
    { spec: { policyName: 'p', validationActions: ['Deny'] } },
    { spec: { validationActions: ['Warn'] } },
  ),
  sample(
    'apiregistration.k8s.io/v1',
    'APIService',
    'apiservices',
    false,
    {
      metadata: { name: 'v1.sample.example.com' },
      spec: {
        group: 'sample.example.com',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { name: 's', namespace: 'default' },
      },
    },
    { spec: { versionPriority: 20 } },
  ),
  sample(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    'customresourcedefinitions',
    false,
    {
      metadata: { name: 'samples.sample.example.org' },
      spec: {
        group: 'sample.example.org',
        scope: 'Namespaced',
        names: { plural: 'samples', kind: 'Sample' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } },
          },
        ],
      },
    },
    { metadata: { annotations: { a: 'b' } } },
  ),
];
