import { Kind } from '../registry/kind';
import { SubresourceInfo } from './discovery';

const OBJECT = ['get', 'patch', 'update'];
const CONNECT = ['create', 'get'];
const PROXY = ['create', 'delete', 'get', 'patch', 'update'];

/** Subresources with a meaning of their own, by `group/plural`. */
const OWN: Record<string, readonly SubresourceInfo[]> = {
  '/namespaces': [{ name: 'finalize', verbs: ['update'] }],
  '/nodes': [{ name: 'proxy', verbs: PROXY, kind: 'NodeProxyOptions' }],
  '/pods': [
    { name: 'attach', verbs: CONNECT, kind: 'PodAttachOptions' },
    { name: 'binding', verbs: ['create'], kind: 'Binding' },
    { name: 'eviction', verbs: ['create'], kind: 'Eviction', group: 'policy', version: 'v1' },
    { name: 'exec', verbs: CONNECT, kind: 'PodExecOptions' },
    { name: 'log', verbs: ['get'] },
    { name: 'portforward', verbs: CONNECT, kind: 'PodPortForwardOptions' },
    { name: 'proxy', verbs: PROXY, kind: 'PodProxyOptions' },
  ],
  '/serviceaccounts': [
    { name: 'token', verbs: ['create'], kind: 'TokenRequest', group: 'authentication.k8s.io', version: 'v1' },
  ],
  '/services': [{ name: 'proxy', verbs: PROXY, kind: 'ServiceProxyOptions' }],
};

/** Everything below the objects of a kind, for discovery. */
export function subresourcesOf(kind: Kind): SubresourceInfo[] {
  return [
    ...(OWN[`${kind.group}/${kind.plural}`] ?? []),
    ...Object.keys(kind.parts ?? {}).map((name) => ({ name, verbs: OBJECT })),
    ...(kind.scale ? [{ name: 'scale', verbs: OBJECT, kind: 'Scale', group: 'autoscaling', version: 'v1' }] : []),
    ...(kind.status ? [{ name: 'status', verbs: OBJECT }] : []),
  ];
}
