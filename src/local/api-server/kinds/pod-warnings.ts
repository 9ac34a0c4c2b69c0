import { tryParseQuantity } from '../../../api/quantity';
import { AnyObject } from '../types';

interface Port {
  containerPort: number;
  protocol?: string;
  hostIP?: string;
  hostPort?: number;
}

/** Kubernetes' warnings about allowed but likely wrong fields of a Pod. */
export function podWarnings({ spec = {} }: AnyObject): string[] {
  const warnings: string[] = [];
  const lists = ['initContainers', 'containers', 'ephemeralContainers'];
  const containers = lists.flatMap((list) =>
    ((spec[list] ?? []) as AnyObject[]).map((container, i) => ({ container, at: `spec.${list}[${i}]` })),
  );
  repeated(spec.hostAliases ?? [], 'ip').forEach(([i, ip]) =>
    warnings.push(`spec.hostAliases[${i}].ip: duplicate ip ${JSON.stringify(ip)}`),
  );
  repeated(spec.imagePullSecrets ?? [], 'name').forEach(([i, name]) =>
    warnings.push(`spec.imagePullSecrets[${i}].name: duplicate name ${JSON.stringify(name)}`),
  );
  for (const { container, at } of containers) {
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
      'spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
    );
  }
  return warnings;
}

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
