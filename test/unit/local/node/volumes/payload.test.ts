import type { Pod, ProjectedSource, Volume } from '../../../../../src/local/core-v1';
import { payloadOf } from '../../../../../src/local/node/volumes/payload';

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'ns', labels: { a: 'b' } },
  spec: {
    containers: [
      { name: 'one' },
      { name: 'two', resources: { limits: { cpu: '1500m' }, requests: { memory: '3Mi' } } },
    ],
  },
};
const facts = { podIPs: [], hostIPs: [], nodeName: 'n', allocatable: { cpu: '4', memory: '8Gi' } };
const sources = {
  configMap: (name: string) => (name === 'cm' ? { a: Buffer.from('1'), b: Buffer.from('2') } : undefined),
  secret: (name: string) => (name === 's' ? { b: Buffer.from('3') } : undefined),
  token: (path: string) => (path === 'token' ? 'jwt' : undefined),
};
const files = (volume: Omit<Volume, 'name'>) =>
  payloadOf(pod, { name: 'v', ...volume }, facts, sources).map(
    ({ path, content, mode }) => `${path}=${content.toString()} ${mode.toString(8)}`,
  );
const projected = (...given: ProjectedSource[]) => ({ projected: { sources: given } });

test.each<[string, Omit<Volume, 'name'>, string[]]>([
  ['all keys', { configMap: { name: 'cm' } }, ['a=1 644', 'b=2 644']],
  ['the default mode', { configMap: { name: 'cm', defaultMode: 0o400 } }, ['a=1 400', 'b=2 400']],
  ['items with paths and modes', { configMap: { name: 'cm', items: [{ key: 'a', path: 'x/y', mode: 0o600 }, { key: 'b', path: 'z' }] } }, ['x/y=1 600', 'z=2 644']],
  ['a missing optional object', { configMap: { name: 'none', optional: true } }, []],
  ['a missing optional key', { secret: { secretName: 's', items: [{ key: 'none', path: 'x' }], optional: true } }, []],
  ['resources of a container', { downwardAPI: { items: [{ path: 'cpu', resourceFieldRef: { containerName: 'two', resource: 'limits.cpu' } }, { path: 'milli', resourceFieldRef: { containerName: 'two', resource: 'limits.cpu', divisor: '1m' } }, { path: 'memory', resourceFieldRef: { containerName: 'two', resource: 'requests.memory', divisor: '1Mi' } }] } }, ['cpu=2 644', 'milli=1500 644', 'memory=3 644']],
  ['resources of the node without a limit', { downwardAPI: { items: [{ path: 'cpu', resourceFieldRef: { containerName: 'one', resource: 'limits.cpu' }, mode: 0o440 }] } }, ['cpu=4 440']],
  ['projected sources, of which later ones win', projected({ configMap: { name: 'cm' } }, { secret: { name: 's' } }, { serviceAccountToken: { path: 'token', audience: 'vault' } }, { downwardAPI: { items: [{ path: 'ns', fieldRef: { fieldPath: 'metadata.namespace' } }] } }), ['a=1 644', 'b=3 644', 'token=jwt 644', 'ns=ns 644']],
])('a volume contains %s', (_, volume, want) => expect(files(volume)).toEqual(want)); // prettier-ignore

test.each<[Omit<Volume, 'name'>, string]>([
  [{ configMap: { name: 'none' } }, 'configmap "none" not found'],
  [{ secret: { secretName: 'none' } }, 'secret "none" not found'],
  [{ configMap: { name: 'cm', items: [{ key: 'c', path: 'c' }] } }, 'references non-existent configmap key: c'],
  [projected({ serviceAccountToken: { path: 'late' } }), 'failed to fetch token for "late"'],
  [projected({ clusterTrustBundle: { name: 'x' } }), 'projected sources of kind "clusterTrustBundle" are not supported'],
])('%j is reported: %s', (volume, message) => expect(() => files(volume)).toThrow(message)); // prettier-ignore
