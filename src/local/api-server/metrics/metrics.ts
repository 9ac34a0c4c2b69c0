import { errors } from '../errors';
import { Context } from '../http/context';
import { VirtualResource } from '../http/resource-route';
import { sendJson } from '../http/responder';
import { call } from '../network/https-client';
import { kubeletPeer } from '../network/kubelet';
import { LabelMatcher, parseLabelSelector } from '../registry/label-selector';
import { KubeletAccess } from '../subresources/pod-streams';
import { AnyObject, timestamp } from '../types';

const GROUP = 'metrics.k8s.io';
const VERSION = 'v1beta1';
const TIMEOUT_MS = 10_000;

interface Usage {
  readonly cpu?: { readonly time?: string; readonly usageNanoCores?: number };
  readonly memory?: { readonly workingSetBytes?: number };
}
/** Part of a kubelet's `/stats/summary` that metrics need. */
export interface Summary {
  readonly node: Usage & { readonly nodeName: string };
  readonly pods?: readonly {
    readonly podRef: { readonly name: string; readonly namespace: string; readonly uid: string };
    readonly containers?: readonly (Usage & { readonly name: string })[];
  }[];
}

/** Interval of the averages: kubelets measure over at least a second. */
const WINDOW = '15s';

const quantities = ({ cpu, memory }: Usage): object => ({
  cpu: `${cpu?.usageNanoCores ?? 0}n`,
  memory: `${Math.floor((memory?.workingSetBytes ?? 0) / 1024)}Ki`,
});

const seconds = (time: string | undefined): string => (time ?? timestamp()).replace(/\.\d+Z$/, 'Z');

function metadataOf({ metadata }: AnyObject): object {
  const { name, namespace, labels } = metadata;
  return { name, ...(namespace ? { namespace } : {}), creationTimestamp: timestamp(), ...(labels ? { labels } : {}) };
}

/** NodeMetrics of a node. Pure except for its creation time. */
export function nodeMetrics(node: AnyObject, summary: Summary): AnyObject {
  const { node: usage } = summary;
  const common = { timestamp: seconds(usage.cpu?.time), window: WINDOW };
  return {
    kind: 'NodeMetrics',
    apiVersion: `${GROUP}/${VERSION}`,
    metadata: metadataOf(node),
    ...common,
    usage: quantities(usage),
  } as AnyObject;
}

/** PodMetrics of a Pod, or undefined if it has no measured container. */
export function podMetrics(pod: AnyObject, summary: Summary): AnyObject | undefined {
  const found = summary.pods?.find(({ podRef }) => podRef.uid === pod.metadata.uid);
  const regular = new Set(
    ['containers', 'initContainers'].flatMap((list) =>
      ((pod.spec?.[list] ?? []) as { name: string }[]).map(({ name }) => name),
    ),
  );
  const measured = (found?.containers ?? []).filter(({ name }) => regular.has(name));
  const [first] = measured;
  if (!first) return undefined;
  return {
    kind: 'PodMetrics',
    apiVersion: `${GROUP}/${VERSION}`,
    metadata: metadataOf(pod),
    timestamp: seconds(first.cpu?.time),
    window: WINDOW,
    containers: measured.map((container) => ({ name: container.name, usage: quantities(container) })),
  } as AnyObject;
}

/** `metrics.k8s.io`: what `kubectl top` and autoscalers read, measured by the kubelets when it is requested. */
export function metricsResources(access: KubeletAccess): VirtualResource[] {
  return [metricsResource(access, 'NodeMetrics', 'nodes', false), metricsResource(access, 'PodMetrics', 'pods', true)];
}

function metricsResource(access: KubeletAccess, kind: string, plural: string, namespaced: boolean): VirtualResource {
  return {
    group: GROUP,
    version: VERSION,
    kind,
    plural,
    namespaced,
    verbs: ['get', 'list'],
    async serve({ info, response }: Context) {
      const matches = parseLabelSelector(info.verb === 'list' ? info.query.get('labelSelector') : null);
      const objects = subjects(access, plural, info, matches);
      const items = await measure(access, plural, objects);
      if (info.verb === 'list') {
        const list = { kind: `${kind}List`, apiVersion: `${GROUP}/${VERSION}`, metadata: {}, items };
        return sendJson(response, 200, list);
      }
      const name = namespaced ? `${info.namespace}/${info.name}` : info.name;
      const [item] = items;
      if (!item) throw errors.notFound({ group: GROUP, resource: kind.toLowerCase() }, name);
      sendJson(response, 200, item);
    },
  };
}

/** Nodes or Pods of a request. */
function subjects(
  { store }: KubeletAccess,
  plural: string,
  { name, namespace }: { name: string; namespace: string },
  matches: LabelMatcher,
): AnyObject[] {
  const resource = `/${plural}`;
  if (name) return [store.get({ resource, namespace, name })].filter((object) => object !== undefined);
  const all = store.list({ resource, ...(namespace ? { namespace } : {}) });
  return [...all].filter(({ metadata }) => matches(metadata.labels));
}

/** Asks each kubelet once; nodes that do not answer have no metrics. */
async function measure(access: KubeletAccess, plural: string, objects: readonly AnyObject[]): Promise<AnyObject[]> {
  const nodeOf = (object: AnyObject): string =>
    (plural === 'nodes' ? object.metadata.name : object.spec?.nodeName) ?? '';
  const names = [...new Set(objects.map(nodeOf))].filter(Boolean);
  const summaries = new Map(
    await Promise.all(names.map(async (name) => [name, await summaryOf(access, name)] as const)),
  );
  return objects.flatMap((object) => {
    const summary = summaries.get(nodeOf(object));
    if (!summary) return [];
    return (plural === 'nodes' ? nodeMetrics(object, summary) : podMetrics(object, summary)) ?? [];
  });
}

async function summaryOf({ store, client, ca }: KubeletAccess, node: string): Promise<Summary | undefined> {
  try {
    const peer = kubeletPeer(store, node, client, ca);
    const { code, body } = await call(peer, 'GET', '/stats/summary', { timeoutMs: TIMEOUT_MS });
    return code === 200 ? (JSON.parse(body) as Summary) : undefined;
  } catch {
    return undefined;
  }
}
