import { affectsQuota, checkQuota } from '../../../../../src/local/api-server/admission/quota/check';
import { evaluatorOf, totalUsage } from '../../../../../src/local/api-server/admission/quota/usage';
import { AnyObject } from '../../../../../src/local/api-server/types';

const NOW = Date.parse('2026-01-01T00:01:00Z');
type Amounts = Record<string, string>;

const quota = (hard: Amounts, used: Amounts = {}, spec: object = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'q' },
  spec: { hard, ...spec },
  status: { hard, used: { ...Object.fromEntries(Object.keys(hard).map((name) => [name, '0'])), ...used } },
});
const pod = (resources: object = {}, spec: object = {}, more: object = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i', resources }], ...spec },
  ...more,
});
const of = (spec: object): AnyObject => ({ apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, spec });
const admit = (plural: string, limits: AnyObject, object: AnyObject, oldObject?: AnyObject) =>
  checkQuota(limits, evaluatorOf('', plural)!, { object, oldObject, now: NOW });

const scoped = (scopeName: string, operator = 'Exists', values?: string[]) =>
  quota({ pods: '5' }, {}, { scopeSelector: { matchExpressions: [{ scopeName, operator, values }] } });
const affinity = (term: object) => ({
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
});

test.each<[string, string, AnyObject, AnyObject, unknown]>([
  ['admits the last Pod', 'pods', quota({ pods: '2' }, { pods: '1' }), pod(), { used: { pods: '2' } }],
  [
    'rejects one Pod more',
    'pods',
    quota({ pods: '2' }, { pods: '2' }),
    pod(),
    { rejection: 'exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2' },
  ],
  [
    'names only what exceeds the quota',
    'pods',
    quota({ pods: '9', 'requests.cpu': '1' }, { pods: '1', 'requests.cpu': '600m' }),
    pod({ requests: { cpu: '500m' } }),
    { rejection: 'exceeded quota: q, requested: requests.cpu=500m, used: requests.cpu=600m, limited: requests.cpu=1' },
  ],
  [
    'requires explicit amounts of every container',
    'pods',
    quota({ 'limits.cpu': '1', memory: '1Gi' }),
    pod({ requests: { memory: '1' } }, { initContainers: [{ name: 'i' }] }),
    { rejection: 'failed quota: q: must specify limits.cpu for: c,i; memory for: i' },
  ],
  [
    'accepts amounts of the whole Pod',
    'pods',
    quota({ 'limits.cpu': '2' }),
    pod({}, { resources: { limits: { cpu: '1' } } }),
    { used: { 'limits.cpu': '1' } },
  ],
  [
    'rejects writes until usage is known',
    'pods',
    { ...quota({ pods: '2' }), status: { hard: { pods: '2' } } },
    pod(),
    { rejection: 'status unknown for quota: q, resources: pods' },
  ],
  ['ignores a quota without status', 'pods', { ...quota({ pods: '0' }), status: {} }, pod(), undefined],
  ['ignores amounts of other resources', 'pods', quota({ services: '0' }), pod(), undefined],
  [
    'counts extended resources by their requests',
    'pods',
    quota({ 'requests.a.com/x': '1' }),
    pod({ requests: { 'a.com/x': '1' } }),
    { used: { 'requests.a.com/x': '1' } },
  ],
  ['applies BestEffort to Pods without amounts', 'pods', scoped('BestEffort'), pod(), { used: { pods: '1' } }],
  ['does not apply BestEffort to others', 'pods', scoped('BestEffort'), pod({ requests: { cpu: '1' } }), undefined],
  [
    'applies NotBestEffort to the others',
    'pods',
    scoped('NotBestEffort'),
    pod({ requests: { cpu: '1' } }),
    { used: { pods: '1' } },
  ],
  [
    'applies Terminating to Pods with a deadline',
    'pods',
    scoped('Terminating'),
    pod({}, { activeDeadlineSeconds: 0 }),
    { used: { pods: '1' } },
  ],
  ['does not apply Terminating without a deadline', 'pods', scoped('Terminating'), pod(), undefined],
  [
    'applies a priority class by name',
    'pods',
    scoped('PriorityClass', 'In', ['high']),
    pod({}, { priorityClassName: 'high' }),
    { used: { pods: '1' } },
  ],
  [
    'does not apply it to another class',
    'pods',
    scoped('PriorityClass', 'In', ['high']),
    pod({}, { priorityClassName: 'low' }),
    undefined,
  ],
  [
    'applies DoesNotExist without a class',
    'pods',
    scoped('PriorityClass', 'DoesNotExist'),
    pod(),
    { used: { pods: '1' } },
  ],
  [
    'applies to affinity with other namespaces',
    'pods',
    scoped('CrossNamespacePodAffinity'),
    pod({}, affinity({ namespaces: ['x'] })),
    { used: { pods: '1' } },
  ],
  [
    'does not apply to affinity in the namespace',
    'pods',
    scoped('CrossNamespacePodAffinity'),
    pod({}, affinity({})),
    undefined,
  ],
  [
    'counts the ports of a NodePort Service',
    'services',
    quota({ services: '2', 'services.nodeports': '1' }),
    of({ type: 'NodePort', ports: [{}, {}] }),
    {
      rejection:
        'exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=0, limited: services.nodeports=1',
    },
  ],
  [
    'counts only given ports of a load balancer without allocation',
    'services',
    quota({ 'services.nodeports': '1', 'services.loadbalancers': '1' }),
    of({ type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{ nodePort: 30000 }, {}] }),
    { used: { 'services.nodeports': '1', 'services.loadbalancers': '1' } },
  ],
  [
    'counts storage of a class',
    'persistentvolumeclaims',
    quota({ 'gold.storageclass.storage.k8s.io/requests.storage': '1Gi' }),
    of({ storageClassName: 'gold', resources: { requests: { storage: '2Gi' } } }),
    {
      rejection:
        'exceeded quota: q, requested: gold.storageclass.storage.k8s.io/requests.storage=2Gi, used: gold.storageclass.storage.k8s.io/requests.storage=0, limited: gold.storageclass.storage.k8s.io/requests.storage=1Gi',
    },
  ],
  [
    'counts Secrets by their own name',
    'secrets',
    quota({ secrets: '1', 'count/secrets': '1' }),
    of({}),
    { used: { secrets: '1', 'count/secrets': '1' } },
  ],
])('a quota %s', (_, plural, limits, object, want) => expect(admit(plural, limits, object)).toEqual(want));

test('an update is charged with its increase only', () => {
  const limits = quota({ 'requests.storage': '3Gi' }, { 'requests.storage': '1Gi' });
  const claim = (storage: string) => of({ resources: { requests: { storage } } });
  expect(admit('persistentvolumeclaims', limits, claim('3Gi'), claim('1Gi'))).toEqual({
    used: { 'requests.storage': '3Gi' },
  });
  expect(admit('persistentvolumeclaims', limits, claim('1Gi'), claim('1Gi'))).toBeUndefined();
  expect(admit('persistentvolumeclaims', limits, claim('1Gi'), claim('2Gi'))).toBeUndefined();
});

test.each([
  ['a Pod that gets a deadline', 'pods', { activeDeadlineSeconds: 1 }, {}, true],
  ['a Pod with another deadline', 'pods', { activeDeadlineSeconds: 1 }, { activeDeadlineSeconds: 2 }, false],
  ['a Service', 'services', {}, {}, true],
  ['a ConfigMap', 'configmaps', {}, {}, false],
])('the update of %s is checked only if it may change usage', (_, plural, next, old, want) => {
  expect(affectsQuota(plural, 'UPDATE', of(next), of(old))).toBe(want);
});

test('ended Pods count as objects, not as Pods', () => {
  const names = ['pods', 'count/pods', 'requests.cpu'];
  const cpu = { requests: { cpu: '500m' } };
  const deleted = (seconds: number) =>
    pod(
      cpu,
      {},
      { metadata: { name: 'd', deletionTimestamp: '2026-01-01T00:00:30Z', deletionGracePeriodSeconds: seconds } },
    );
  const objects = [pod(cpu), pod(cpu, {}, { status: { phase: 'Failed' } }), deleted(29), deleted(30)];
  expect(totalUsage(evaluatorOf('', 'pods')!, names, [], objects, NOW)).toEqual({
    pods: '2',
    'count/pods': '4',
    'requests.cpu': '1',
  });
});

test('a Pod needs the larger of its containers and the start of its init containers', () => {
  const container = (cpu: string, more: object = {}) => ({ name: 'x', resources: { requests: { cpu } }, ...more });
  const spec = {
    containers: [container('1'), container('1')],
    initContainers: [container('1', { restartPolicy: 'Always' }), container('3')],
  };
  const limits = quota({ 'requests.cpu': '9' });
  expect(admit('pods', limits, pod({}, spec))).toEqual({ used: { 'requests.cpu': '4' } });
});
