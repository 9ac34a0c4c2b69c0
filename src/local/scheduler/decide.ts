import { own } from '../api-server/json/values';
import { claimsOf, foreignClaim } from '../claims';
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, PodAffinityTerm, StorageClass } from '../core-v1';
import { addAmounts, amountsOf, podRequests } from './requests';
import type { Amounts } from './requests';
import { matchesLabels, matchesNodeTerm, matchesNodeTerms, tolerates } from './selectors';

/** Chooses the node of a Pod, or explains why none fits. Pure. */

export interface Cluster {
  readonly nodes: readonly Node[];
  /** Running Pods that have a node. */
  readonly pods: readonly Pod[];
  readonly claims: readonly PersistentVolumeClaim[];
  readonly volumes: readonly PersistentVolume[];
  readonly classes: readonly StorageClass[];
  /** Labels of namespaces, for affinity terms that select them. */
  readonly namespaces: ReadonlyMap<string, Record<string, string>>;
}

export type Decision =
  | {
      readonly do: 'bind';
      readonly node: string;
      /** Claims that wait for this node. */ readonly claims: readonly string[];
    }
  | { readonly do: 'wait'; readonly reason: 'Unschedulable' | 'SchedulingGated'; readonly message: string };

/** Filter that returns Kubernetes' reason why a node does not fit. */
type Filter = (pod: Pod, node: Node, cluster: Indexed) => string[];

export function decide(pod: Pod, cluster: Cluster): Decision {
  if (pod.spec.schedulingGates?.length) {
    return {
      do: 'wait',
      reason: 'SchedulingGated',
      message: 'Scheduling is blocked due to non-empty scheduling gates',
    };
  }
  const missing = claimProblem(pod, cluster);
  if (missing) {
    const message = `0/${cluster.nodes.length} nodes are available: ${missing}.`;
    return { do: 'wait', reason: 'Unschedulable', message };
  }
  const indexed = { ...cluster, loads: loadsOf(cluster) };
  const verdicts = cluster.nodes.map((node) => ({ node, reasons: firstReasons(pod, node, indexed) }));
  const fitting = verdicts
    .filter(({ reasons }) => !reasons.length)
    .map(({ node }) => ({ node, score: score(pod, node, indexed) }));
  const [best] = fitting.sort((a, b) => b.score - a.score || byName(a.node, b.node));
  if (!best)
    return unschedulable(
      cluster.nodes.length,
      verdicts.map(({ reasons }) => reasons),
    );
  return { do: 'bind', node: best.node.metadata.name ?? '', claims: waitingClaims(pod, cluster) };
}

const byName = (a: Node, b: Node): number => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1);

/** `0/1 nodes are available: 1 Insufficient memory.` */
function unschedulable(nodes: number, reasons: readonly (readonly string[])[]): Decision {
  const counts = new Map<string, number>();
  for (const reason of reasons.flat()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const list = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  const why = nodes ? `0/${nodes} nodes are available: ${list.join(', ')}.` : 'no nodes available to schedule pods';
  return { do: 'wait', reason: 'Unschedulable', message: why };
}

/** Filters in Kubernetes' order: the first that fails ends the check; the resource filter lists all missing resources. */
function firstReasons(pod: Pod, node: Node, cluster: Indexed): string[] {
  for (const filter of FILTERS) {
    const reasons = filter(pod, node, cluster);
    if (reasons.length) return reasons;
  }
  return [];
}

const unschedulableNode: Filter = (pod, node) => {
  const taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  return node.spec?.unschedulable && !tolerates(pod.spec.tolerations, taint) ? ['node(s) were unschedulable'] : [];
};

const nodeReady: Filter = (_pod, node) => {
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  return ready && ready.status !== 'True' ? ['node(s) had untolerated taint {node.kubernetes.io/not-ready: }'] : [];
};

const taints: Filter = (pod, node) => {
  const hard = (node.spec?.taints ?? []).filter(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute');
  const untolerated = hard.find((taint) => !tolerates(pod.spec.tolerations, taint));
  return untolerated ? [`node(s) had untolerated taint {${untolerated.key}: ${untolerated.value ?? ''}}`] : [];
};

const nodeAffinity: Filter = ({ spec }, node) => {
  const labels = node.metadata.labels ?? {};
  const selected = Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => own(labels, key) === value);
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const fits = selected && (!required || matchesNodeTerms(required.nodeSelectorTerms, node));
  return fits ? [] : ["node(s) didn't match Pod's node affinity/selector"];
};

const ports: Filter = (pod, node, cluster) => {
  const wanted = hostPorts(pod);
  if (!wanted.length) return [];
  const used = new Set(podsOf(node, cluster).flatMap(hostPorts));
  return wanted.some((port) => used.has(port)) ? ["node(s) didn't have free ports for the requested pod ports"] : [];
};

const hostPorts = ({ spec }: Pod): string[] =>
  [...spec.containers, ...(spec.initContainers ?? [])].flatMap(({ ports: list = [] }) =>
    list.flatMap(({ hostPort, containerPort, protocol = 'TCP' }) => {
      const port = hostPort ?? (spec.hostNetwork ? containerPort : 0);
      return port ? [`${protocol}/${port}`] : [];
    }),
  );

const resourcesFit: Filter = (pod, node, cluster) => {
  const allocatable = amountsOf(node.status?.allocatable);
  const used = usedOn(node, cluster);
  const reasons: string[] = [];
  if ((used.pods ?? 0) + 1 > (allocatable.pods ?? 0)) reasons.push('Too many pods');
  for (const [name, amount] of Object.entries(requestsOf(pod))) {
    if (amount > 0 && amount > (allocatable[name] ?? 0) - (used[name] ?? 0)) reasons.push(`Insufficient ${name}`);
  }
  return reasons;
};

/** Pods of one node, and their requests. */
interface Load {
  readonly pods: readonly Pod[];
  readonly used: Amounts;
}

const IDLE: Load = { pods: [], used: { pods: 0 } };
/** With the Pods of each node by its name: looking for them would cost nodes times Pods. */
interface Indexed extends Cluster {
  readonly loads: ReadonlyMap<string, Load>;
}

/** Requests of each Pod object, which does not change. */
const requests = new WeakMap<Pod, Amounts>();

const loadOf = ({ metadata: { name = '' } }: Node, { loads }: Indexed): Load => loads.get(name) ?? IDLE;

function loadsOf({ pods }: Cluster): ReadonlyMap<string, Load> {
  const all = new Map<string, { pods: Pod[]; used: Amounts }>();
  for (const pod of pods) {
    const { nodeName = '' } = pod.spec;
    let load = all.get(nodeName);
    if (!load) all.set(nodeName, (load = { pods: [], used: { pods: 0 } }));
    load.pods.push(pod);
    addAmounts(load.used, requestsOf(pod));
    load.used.pods = load.pods.length;
  }
  return all;
}

function requestsOf(pod: Pod): Amounts {
  let known = requests.get(pod);
  if (!known) requests.set(pod, (known = podRequests(pod)));
  return known;
}

const podsOf = (node: Node, cluster: Indexed): readonly Pod[] => loadOf(node, cluster).pods;
const usedOn = (node: Node, cluster: Indexed): Amounts => loadOf(node, cluster).used;

const interPodAffinity: Filter = (pod, node, cluster) => {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
  const hard = (terms: PodAffinityTerm[] | undefined): PodAffinityTerm[] => terms ?? [];
  const inDomain = (term: PodAffinityTerm): Pod[] => podsInDomain(term, node, cluster);
  for (const term of hard(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution)) {
    if (inDomain(term).some((other) => selects(term, pod, other, cluster))) continue;
    // the first Pod of a group with affinity to itself may run anywhere
    const any = cluster.pods.some((other) => selects(term, pod, other, cluster));
    if (any || !selects(term, pod, pod, cluster)) return ["node(s) didn't match pod affinity rules"];
  }
  for (const term of hard(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution)) {
    if (inDomain(term).some((other) => selects(term, pod, other, cluster))) {
      return ["node(s) didn't match pod anti-affinity rules"];
    }
  }
  for (const other of cluster.pods) {
    const terms = hard(other.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution);
    for (const term of terms) {
      if (selects(term, other, pod, cluster) && podsInDomain(term, node, cluster).includes(other)) {
        return ["node(s) didn't satisfy existing pods anti-affinity rules"];
      }
    }
  }
  return [];
};

/** Pods on nodes that share this node's value of the term's topology key. */
function podsInDomain({ topologyKey }: PodAffinityTerm, node: Node, cluster: Cluster): Pod[] {
  const value = own(node.metadata.labels, topologyKey);
  if (value === undefined) return [];
  const nodes = new Set(
    cluster.nodes
      .filter(({ metadata }) => own(metadata.labels, topologyKey) === value)
      .map(({ metadata }) => metadata.name),
  );
  return cluster.pods.filter(({ spec }) => nodes.has(spec.nodeName));
}

function selects(term: PodAffinityTerm, owner: Pod, other: Pod, { namespaces }: Cluster): boolean {
  const namespace = other.metadata.namespace ?? '';
  const byList = term.namespaces?.includes(namespace) ?? false;
  const bySelector = term.namespaceSelector
    ? matchesLabels(term.namespaceSelector, namespaces.get(namespace)) || isEmpty(term.namespaceSelector)
    : false;
  const sameNamespace = !term.namespaces?.length && !term.namespaceSelector && namespace === owner.metadata.namespace;
  return (byList || bySelector || sameNamespace) && matchesLabels(term.labelSelector, other.metadata.labels);
}

const isEmpty = (selector: object): boolean => Object.keys(selector).length === 0;

const topologySpread: Filter = (pod, node, cluster) => {
  for (const constraint of pod.spec.topologySpreadConstraints ?? []) {
    if (constraint.whenUnsatisfiable !== 'DoNotSchedule') continue;
    const { topologyKey, maxSkew, labelSelector } = constraint;
    const value = own(node.metadata.labels, topologyKey);
    if (value === undefined) {
      return ["node(s) didn't match pod topology spread constraints (missing required label)"];
    }
    const counts = new Map<string, number>();
    for (const { metadata } of cluster.nodes) {
      const domain = own(metadata.labels, topologyKey);
      if (domain !== undefined) counts.set(domain, 0);
    }
    for (const other of cluster.pods) {
      const home = cluster.nodes.find(({ metadata }) => metadata.name === other.spec.nodeName);
      const domain = own(home?.metadata.labels, topologyKey);
      const counted =
        other.metadata.namespace === pod.metadata.namespace && matchesLabels(labelSelector, other.metadata.labels);
      if (domain !== undefined && counted) counts.set(domain, (counts.get(domain) ?? 0) + 1);
    }
    const self = matchesLabels(labelSelector, pod.metadata.labels) ? 1 : 0;
    const here = (counts.get(value) ?? 0) + self;
    if (here - Math.min(...counts.values()) > maxSkew) return ["node(s) didn't match pod topology spread constraints"];
  }
  return [];
};

const volumesFit: Filter = (pod, node, cluster) => {
  for (const claim of foundClaims(pod, cluster)) {
    const volume = cluster.volumes.find(({ metadata }) => metadata.name === claim.spec?.volumeName);
    const terms = volume?.spec?.nodeAffinity?.required?.nodeSelectorTerms;
    if (terms && !matchesNodeTerms(terms, node)) return ["node(s) didn't match PersistentVolume's node affinity"];
  }
  return [];
};

const FILTERS: readonly Filter[] = [
  unschedulableNode,
  nodeReady,
  taints,
  nodeAffinity,
  ports,
  resourcesFit,
  topologySpread,
  interPodAffinity,
  volumesFit,
];

const findClaim = (name: string, pod: Pod, { claims }: Cluster): PersistentVolumeClaim | undefined =>
  claims.find(({ metadata }) => metadata.namespace === pod.metadata.namespace && metadata.name === name);

const foundClaims = (pod: Pod, cluster: Cluster): PersistentVolumeClaim[] =>
  claimsOf(pod).flatMap(({ name }) => findClaim(name, pod, cluster) ?? []);

const isBound = ({ spec, status }: PersistentVolumeClaim): boolean =>
  spec?.volumeName !== undefined && status?.phase === 'Bound';

function waitsForConsumer(claim: PersistentVolumeClaim, { classes }: Cluster): boolean {
  const found = classes.find(({ metadata }) => metadata.name === claim.spec?.storageClassName);
  return found?.volumeBindingMode === 'WaitForFirstConsumer';
}

/** Reason why claims prevent scheduling on any node. */
function claimProblem(pod: Pod, cluster: Cluster): string | undefined {
  for (const { name, ephemeral } of claimsOf(pod)) {
    const claim = findClaim(name, pod, cluster);
    if (!claim) {
      return ephemeral
        ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
        : `persistentvolumeclaim "${name}" not found`;
    }
    const foreign = ephemeral ? foreignClaim(pod, claim) : undefined;
    if (foreign) return foreign;
    if (claim.metadata.deletionTimestamp) return `persistentvolumeclaim "${name}" is being deleted`;
    if (claim.status?.phase === 'Lost') return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume`;
  }
  const unbound = foundClaims(pod, cluster).some((claim) => !isBound(claim) && !waitsForConsumer(claim, cluster));
  return unbound ? 'pod has unbound immediate PersistentVolumeClaims' : undefined;
}

/** Claims that are provisioned after the node is chosen. */
function waitingClaims(pod: Pod, cluster: Cluster): string[] {
  return foundClaims(pod, cluster)
    .filter((claim) => !isBound(claim) && waitsForConsumer(claim, cluster))
    .map(({ metadata }) => metadata.name ?? '');
}

/** Scores a node by preferences, then by free resources. */
function score(pod: Pod, node: Node, cluster: Indexed): number {
  const preferred = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const byAffinity = preferred
    .filter(({ preference }) => matchesNodeTerm(preference, node))
    .reduce((sum, { weight }) => sum + weight, 0);
  const pods = (terms: { weight: number; podAffinityTerm: PodAffinityTerm }[] | undefined): number =>
    (terms ?? []).reduce((sum, { weight, podAffinityTerm }) => {
      const found = podsInDomain(podAffinityTerm, node, cluster).filter((other) =>
        selects(podAffinityTerm, pod, other, cluster),
      );
      return sum + weight * found.length;
    }, 0);
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
  const avoided = (node.spec?.taints ?? []).filter(
    (taint) => taint.effect === 'PreferNoSchedule' && !tolerates(pod.spec.tolerations, taint),
  ).length;
  const spread = (pod.spec.topologySpreadConstraints ?? [])
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway')
    .reduce((sum, { topologyKey, labelSelector }) => {
      const term = { topologyKey, labelSelector };
      return sum - podsInDomain(term, node, cluster).filter((other) => selects(term, pod, other, cluster)).length;
    }, 0);
  return (
    byAffinity * 10 +
    (pods(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution) -
      pods(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution)) *
      10 +
    spread * 10 -
    avoided * 1000 +
    freeShare(pod, node, cluster)
  );
}

/** Share of cpu and memory that stays free, 0 to 100. */
function freeShare(pod: Pod, node: Node, cluster: Indexed): number {
  const allocatable = amountsOf(node.status?.allocatable);
  const used = { ...usedOn(node, cluster) };
  addAmounts(used, requestsOf(pod));
  const share = (name: string): number => {
    const all = allocatable[name] ?? 0;
    return all ? Math.max(0, 1 - (used[name] ?? 0) / all) : 0;
  };
  return (share('cpu') + share('memory')) * 50;
}
