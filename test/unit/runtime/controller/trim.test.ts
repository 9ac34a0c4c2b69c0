import { slim, slimClaim, slimNode, slimPod, slimQuota } from '../../../../src/runtime/controller/trim';
import { condition, node, pod, vm } from './fixtures';

test('a node keeps whether it is ready and its disk is full, without the times that it renews', () => {
  const full = node(
    'n1',
    (n) => (n.status!.conditions = ['DiskPressure', 'Ready', 'PIDPressure'].map((type) => condition(type, 'True'))),
  );
  expect(full.status?.conditions).toEqual([
    { type: 'DiskPressure', status: 'True' },
    { type: 'Ready', status: 'True' },
  ]);
});

test('trimming twice changes nothing', () => {
  const [p, n] = [pod(), node()];
  expect(slimPod(structuredClone(p))).toEqual(p);
  expect(slimNode(structuredClone(n))).toEqual(n);
});

test('a Pod that has its node keeps only the image of its launcher', () => {
  expect(pod().spec.containers).toEqual([{ name: 'compute', image: 'launcher:1', resources: expect.anything() }]);
  expect(pod().spec.nodeSelector).toBeDefined();
  const placed = pod({}, (p) => (p.spec.nodeName = 'n1'));
  expect(placed.spec).toEqual({
    nodeName: 'n1',
    nodeSelector: undefined,
    containers: [{ name: 'compute', image: 'launcher:1' }],
  });
});

test('drops fields that no controller reads', () => {
  const big = vm();
  big.metadata.managedFields = [{}] as never;
  big.metadata.annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}', kept: 'yes' };
  expect(slim(big).metadata).not.toHaveProperty('managedFields');
  expect(big.metadata.annotations).toEqual({ kept: 'yes' });
});

test('a claim keeps modes and size of its volume in preference to the requested ones', () => {
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'a', namespace: 'web', labels: { x: 'y', 'persistent-state-for': 'fedora' } },
    spec: { accessModes: ['ReadWriteOnce'], volumeMode: 'Block', resources: { requests: { storage: '1Gi' } } },
  };
  expect(slimClaim(claim)).toMatchObject({
    metadata: { labels: { 'persistent-state-for': 'fedora' } },
    spec: { accessModes: ['ReadWriteOnce'], volumeMode: 'Block', requests: { storage: '1Gi' }, isBound: false },
  });
  const status = { phase: 'Bound', accessModes: ['ReadWriteMany'], capacity: { storage: '2Gi' } };
  expect(slimClaim({ ...claim, status } as never).spec).toMatchObject({
    accessModes: ['ReadWriteMany'],
    capacity: { storage: '2Gi' },
    isBound: true,
  });
});

test('a quota keeps its limits and drops its usage', () => {
  const quota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'a', namespace: 'web' },
    spec: { hard: { 'limits.cpu': '4' }, scopes: ['BestEffort'] },
    status: { used: { 'limits.cpu': '1' } },
  };
  expect(slimQuota(quota)).not.toHaveProperty('status');
  expect(slimQuota(quota).spec).toEqual({ hard: { 'limits.cpu': '4' } });
});
