import { tryParseQuantity } from '../../../api/quantity';
import { AnyObject } from '../types';

interface Port {
  name?: string;
  containerPort: number;
  protocol?: string;
  hostIP?: string;
  hostPort?: number;
}

const OLD_LABELS: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'v1.17; use "node.kubernetes.io/instance-type" instead',
};

/** Kubernetes' warnings about allowed but likely wrong fields of a Pod, or of the Pod template at `path`. */
export function podWarnings({ spec = {} }: Partial<AnyObject>, path = ''): string[] {
  const warnings: string[] = [];
  const lists = ['initContainers', 'containers', 'ephemeralContainers'];
  const containers = lists.flatMap((list) =>
    ((spec[list] ?? []) as AnyObject[]).map((container, i) => ({ container, at: `${path}spec.${list}[${i}]` })),
  );
  repeated(spec.hostAliases ?? [], 'ip').forEach(([i, ip]) =>
    warnings.push(`${path}spec.hostAliases[${i}].ip: duplicate ip ${JSON.stringify(ip)}`),
  );
  repeated(spec.imagePullSecrets ?? [], 'name').forEach(([i, name]) =>
    warnings.push(`${path}spec.imagePullSecrets[${i}].name: duplicate name ${JSON.stringify(name)}`),
  );
  (spec.imagePullSecrets ?? []).forEach(({ name }: { name?: string }, i: number) => {
    if (!name) warnings.push(`${path}spec.imagePullSecrets[${i}].name: invalid empty name ""`);
  });
  for (const [key, use] of Object.entries(OLD_LABELS)) {
    if (spec.nodeSelector?.[key] !== undefined) {
      warnings.push(`${path}spec.nodeSelector[${key}]: deprecated since ${use}`);
    }
  }
  warnings.push(...unmatched(spec, path), ...emptyVolumes(spec.volumes ?? []));
  for (const { container, at } of containers) {
    ((container.ports ?? []) as Port[]).forEach(({ name = '', hostPort = 0, containerPort, protocol, hostIP }, i) => {
      if (!hostIP || hostPort) return;
      const shown = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
      warnings.push(`${at}.ports[${i}]: hostIP set without hostPort: ${shown}`);
    });
    for (const list of ['limits', 'requests']) {
      for (const name of ['memory', 'ephemeral-storage']) {
        const value = container.resources?.[list]?.[name];
        if (value === undefined || (tryParseQuantity(value)?.nanos ?? 0n) % 1_000_000_000n === 0n) continue;
        const text = `fractional byte value ${JSON.stringify(value)} is invalid, must be an integer`;
        warnings.push(`${at}.resources.${list}[${name}]: ${text}`);
      }
    }
    warnings.push(...hiddenVariables(container.env ?? [], `${at}.env`));
  }
  warnings.push(...samePorts(containers));
  if (spec.terminationGracePeriodSeconds < 0) {
    warnings.push(
      `${path}spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
    );
  }
  return warnings;
}

const TERMS = 'requiredDuringSchedulingIgnoredDuringExecution';
const WEIGHTED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Terms without a selector, which match no Pod. */
function unmatched({ affinity = {}, topologySpreadConstraints = [] }: AnyObject['spec'], path: string): string[] {
  type Term = { labelSelector?: unknown; podAffinityTerm?: Term };
  const missing = (terms: readonly Term[] = [], at: string, inner = ''): string[] =>
    terms.flatMap((term, i) =>
      (inner ? term.podAffinityTerm : term)?.labelSelector === undefined
        ? [`${path}spec.${at}[${i}]${inner}.labelSelector: a null labelSelector results in matching no pod`]
        : [],
    );
  return [
    ...missing(topologySpreadConstraints as Term[], 'topologySpreadConstraints'),
    ...['podAffinity', 'podAntiAffinity'].flatMap((kind) => [
      ...missing(affinity[kind]?.[TERMS] as Term[], `affinity.${kind}.${TERMS}`),
      ...missing(affinity[kind]?.[WEIGHTED] as Term[], `affinity.${kind}.${WEIGHTED}`, '.podAffinityTerm'),
    ]),
  ];
}

/** Projected volumes with a source that is not given. */
const emptyVolumes = (volumes: readonly { name: string; projected?: { sources?: object[] } }[]): string[] =>
  volumes.flatMap(({ name, projected }) =>
    (projected?.sources ?? [])
      .filter((source) => !Object.keys(source).length)
      .map(() => `volume ${JSON.stringify(name)} (Projected) has no sources provided`),
  );

function repeated(list: Record<string, string>[], field: string): [number, string][] {
  const seen = new Set<string>();
  return list.flatMap((item, i): [number, string][] => {
    if (seen.has(item[field])) return [[i, item[field]]];
    seen.add(item[field]);
    return [];
  });
}

/** Reports a duplicate variable, unless the second one extends the first. */
function hiddenVariables(env: { name: string; value?: string; valueFrom?: object }[], at: string): string[] {
  const seen = new Set<string>();
  return env.flatMap(({ name, value = '', valueFrom }, i) => {
    const first = !seen.has(name);
    seen.add(name);
    const reference = `$(${name})`;
    if (first || (!valueFrom && value !== reference && value.includes(reference))) return [];
    return [`${at}[${i}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`];
  });
}

function samePorts(containers: readonly { container: AnyObject; at: string }[]): string[] {
  const seen: { port: Port; at: string }[] = [];
  const warnings: string[] = [];
  for (const { container, at } of containers) {
    ((container.ports ?? []) as Port[]).forEach((port, i) => {
      const here = `${at}.ports[${i}]`;
      for (const other of seen) {
        if (other.port.containerPort !== port.containerPort || other.port.protocol !== port.protocol) continue;
        const same =
          (port.hostIP ?? '') === (other.port.hostIP ?? '') && (port.hostPort ?? 0) === (other.port.hostPort ?? 0);
        if (same) warnings.push(`${here}: duplicate port definition with ${other.at}`);
        else if (!port.hostPort || !other.port.hostPort) {
          warnings.push(`${here}: overlapping port definition with ${other.at}`);
        }
      }
      seen.push({ port, at: here });
    });
  }
  return warnings;
}
