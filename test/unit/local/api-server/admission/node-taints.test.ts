import { Attributes } from '../../../../../src/local/api-server/admission/admission';
import { NodeTaintsPlugin } from '../../../../../src/local/api-server/admission/node-taints';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
const evicting = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' };
const gpu = { key: 'gpu', value: 'a', effect: 'NoSchedule' };

function taintsAfter(spec: object | undefined, changes: object = {}): unknown {
  const object = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, ...(spec ? { spec } : {}) };
  const attributes = { operation: 'CREATE', kind: { group: '', plural: 'nodes' }, subresource: '', object, ...changes };
  new NodeTaintsPlugin().mutate(attributes as unknown as Attributes);
  return (object as { spec?: { taints?: unknown } }).spec?.taints;
}

test.each<[string, object | undefined, unknown]>([
  ['without a spec', undefined, [notReady]],
  ['without taints', {}, [notReady]],
  ['with other taints', { taints: [gpu] }, [gpu, notReady]],
  ['with the same key and another effect', { taints: [evicting] }, [evicting, notReady]],
  ['with this taint', { taints: [notReady, gpu] }, [notReady, gpu]],
])('a new node %s is not ready for Pods', (_, spec, taints) => expect(taintsAfter(spec)).toEqual(taints));

test.each<[string, object]>([
  ['an update', { operation: 'UPDATE' }],
  ['a subresource', { subresource: 'status' }],
  ['another kind', { kind: { group: '', plural: 'pods' } }],
  ['nodes of another group', { kind: { group: 'metrics.k8s.io', plural: 'nodes' } }],
])('%s gets no taint', (_, changes) => expect(taintsAfter({}, changes)).toBeUndefined());
