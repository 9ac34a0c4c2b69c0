import { once } from 'node:events';
import type { KubeObject } from '../../../../../src/api/meta';
import type { Pod } from '../../../../../src/local/core-v1';
import { run } from '../../../../../src/runtime/host/command';
import { startPolicies, type PodNetwork } from '../../../../../src/local/network';
import { vethName } from '../../../../../src/local/network/names';
import type { KubeClient, Resource } from '../../../../../src/runtime/kube';
import { until } from '../../../../support/until';

jest.mock('../../../../../src/runtime/host/command');
const nft = jest.mocked(run);
const loaded = (): string => nft.mock.lastCall?.[2]?.input?.toString() ?? '';
const succeed = { code: 0, stdout: '', stderr: '' };

/** An API server with these objects, whose watches stay open. */
class Cluster {
  public readonly listed: string[] = [];
  private readonly watches = new Map<string, (event: { type: string; object: KubeObject }) => void>();

  public constructor(private readonly objects: Record<string, KubeObject[]>) {}

  public readonly client = {
    list: ({ plural }: Resource, { transform }: { transform: (object: KubeObject) => KubeObject }) => {
      this.listed.push(plural);
      const items = structuredClone(this.objects[plural] ?? []).map(transform);
      return Promise.resolve({ items, metadata: { resourceVersion: '1' } });
    },
    watch: async (
      { plural }: Resource,
      _: object,
      handler: (event: { type: string; object: KubeObject }) => void,
      signal: AbortSignal,
    ) => {
      this.watches.set(plural, handler);
      if (!signal.aborted) await once(signal, 'abort');
    },
  } as unknown as KubeClient;

  public send(plural: string, type: 'ADDED' | 'DELETED', object: KubeObject): void {
    this.watches.get(plural)!({ type, object });
  }
}

const policy: KubeObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'deny', namespace: 'ns', uid: 'policy', resourceVersion: '2' },
  spec: { podSelector: {} },
} as KubeObject;
const pod = (uid: string, nodeName: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: uid, namespace: 'ns', uid, resourceVersion: '1' },
  spec: { nodeName, containers: [] },
});

const network = { id: 'x', gateway: { ipv4: '10.77.0.1' } } as PodNetwork;
const start = ({ client }: Cluster) => startPolicies({ client, network, nodeName: 'here' });
const closed = (uid: string): string => `"${vethName('x', uid)}" : jump ingress-1`;
/** Waits for the next load. */
const change = async (): Promise<string> => {
  const before = nft.mock.calls.length;
  await until(() => nft.mock.calls.length > before, { everyMs: 5 });
  return loaded();
};

beforeEach(() => nft.mockReset().mockResolvedValue(succeed));

test('without policies, a node removes old rules and follows no Pods', async () => {
  const cluster = new Cluster({ pods: [pod('a', 'here')] });
  const policies = await start(cluster);
  expect(loaded()).toBe('table inet virt8s_x_policies\ndelete table inet virt8s_x_policies\n');
  await policies.enforce(pod('b', 'here'));
  expect(nft).toHaveBeenCalledTimes(1);
  expect(cluster.listed).toEqual(['networkpolicies']);
  await policies.close();
});

test('a Pod is closed before the API server reports it, and until its last process ended', async () => {
  const cluster = new Cluster({ networkpolicies: [policy], pods: [pod('a', 'here'), pod('far', 'there')] });
  const policies = await start(cluster);
  expect(loaded()).toContain(closed('a'));
  expect(loaded()).not.toContain(vethName('x', 'far'));
  await policies.enforce(pod('b', 'here'));
  expect(loaded()).toContain(closed('b'));
  cluster.send('pods', 'ADDED', pod('b', 'here'));
  cluster.send('pods', 'DELETED', pod('b', 'here'));
  policies.release('none');
  cluster.send('pods', 'DELETED', pod('a', 'here'));
  const text = await change();
  expect(text).not.toContain(vethName('x', 'a'));
  expect(text).toContain(closed('b'));
  policies.release('b');
  expect(await change()).not.toContain(vethName('x', 'b'));
  await policies.close();
});

test('Pods are followed from the first to the last policy', async () => {
  const cluster = new Cluster({ pods: [pod('a', 'here')] });
  const policies = await start(cluster);
  cluster.send('networkpolicies', 'ADDED', structuredClone(policy));
  expect(await change()).toContain(closed('a'));
  expect(cluster.listed.slice(1).sort()).toEqual(['namespaces', 'pods']);
  cluster.send('networkpolicies', 'DELETED', structuredClone(policy));
  expect(await change()).not.toContain(vethName('x', 'a'));
  cluster.send('networkpolicies', 'ADDED', structuredClone(policy));
  expect(await change()).toContain(closed('a'));
  expect(cluster.listed.filter((plural) => plural === 'pods')).toHaveLength(2);
  await policies.close();
});

test('a Pod does not start while its rules cannot be loaded', async () => {
  const policies = await start(new Cluster({ networkpolicies: [policy] }));
  nft.mockRejectedValueOnce(new Error('nft: failed'));
  await expect(policies.enforce(pod('b', 'here'))).rejects.toThrow('nft: failed');
  await policies.enforce(pod('b', 'here'));
  expect(loaded()).toContain(closed('b'));
  await policies.close();
});
