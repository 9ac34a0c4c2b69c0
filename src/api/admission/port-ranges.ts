import type { ClusterConfig } from '../cluster-config';
import type { Finding, Path } from '../findings';
import type { Interface, Network, PortRange } from '../generated/kubevirt-v1';
import { gateOff, mistake } from './rule';

const MOST_RANGES = 10;

/** Validates the port ranges that a masquerade interface forwards. */
export function portRanges(
  iface: Interface,
  network: Network | undefined,
  path: Path,
  config: ClusterConfig,
): Finding[] {
  const ranges = iface.portRanges;
  if (!ranges) return [];
  const field = `${path.at('name')}`;
  const at = path.at('portRanges');
  if (!config.hasGate('PortRangesSpec')) {
    const message = 'portRanges is specified on interface but the PortRangesSpec feature gate is not enabled';
    return gateOff('gate-port-ranges', at, message, 'PortRangesSpec', { field });
  }
  if (!network?.pod) return [];
  const errors: Finding[] = [];
  if (iface.ports) {
    const message = 'Cannot define both ports and portRanges on interface';
    errors.push(...mistake('port-ranges-or-ports', at, message, 'keep one', { field }));
  }
  if (!iface.masquerade) {
    const message = 'portRanges are only supported on masquerade interfaces';
    errors.push(...mistake('port-ranges-masquerade', at, message, 'use masquerade: {}', { field }));
  }
  if (ranges.length > MOST_RANGES) {
    const message = 'No more than 10 portRanges are allowed';
    return [...errors, ...mistake('port-ranges-count', at, message, 'merge some of them', { value: ranges.length })];
  }
  return [...errors, ...ranges.flatMap((range, i) => bounds(range, at.at(i))), ...overlaps(ranges, at)];
}

export const isPort = (port: number): boolean => port > 0 && port < 65536;
const isProtocol = (protocol: string | undefined): boolean => protocol === 'TCP' || protocol === 'UDP';

/** Returns the first mistake of a range. */
function bounds({ protocol, start, end }: PortRange, at: Path): Finding[] {
  if (!isProtocol(protocol)) {
    const message = 'Unknown protocol, only TCP or UDP allowed';
    return mistake('port-protocol', at.at('protocol'), message, 'write TCP or UDP', { value: protocol });
  }
  for (const [field, name, got] of [
    ['start', 'Start', start],
    ['end', 'End', end],
  ] as const) {
    if (isPort(got)) continue;
    const message = `${name} must be a valid port number, 0 < x < 65536`;
    return mistake('port-range', at.at(field), message, 'use 1 to 65535', { value: got });
  }
  if (start <= end) return [];
  return mistake('port-range', at.at('start'), 'Start must be less than or equal to end', 'swap start and end', {
    value: start,
  });
}

function overlaps(ranges: readonly PortRange[], at: Path): Finding[] {
  const sound = ranges.filter(({ start, end }) => isPort(start) && isPort(end) && start <= end);
  return ['TCP', 'UDP'].flatMap((protocol) => {
    const own = sound.filter((range) => range.protocol === protocol).sort((a, b) => a.start - b.start || a.end - b.end);
    return own.slice(1).flatMap((range, i) => {
      const before = own[i];
      if (range.start > before.end) return [];
      const message = `${protocol} portRanges [${before.start}-${before.end}] and [${range.start}-${range.end}] overlap`;
      return mistake('port-ranges-overlap', at, message, 'merge them');
    });
  });
}
