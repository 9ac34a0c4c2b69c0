/** A NIC behind passt, a process of the Pod that forwards the guest's traffic without bridge, NAT or privileges. */
import type { Interface, VirtualMachineInstance } from '../../../../api';
import { DomainError } from '../error';
import type { DomainFacts, InterfaceSource } from '../facts';
import { type Element, el } from '../xml';

/** Ports that Istio's proxy listens on in the Pod; they must not be forwarded to a guest. */
const ISTIO_PORTS = [15000, 15001, 15004, 15006, 15008, 15009, 15020, 15021, 15053, 15090];

function hasIstioProxy({ metadata }: VirtualMachineInstance): boolean {
  return metadata.annotations?.['sidecar.istio.io/inject']?.toLowerCase() === 'true';
}

/** `<portForward>` for each protocol: the VMI's ports, or all ports of both protocols if it has none. */
function forwards(vmi: VirtualMachineInstance, { ports = [] }: Interface): Element[] {
  const proxy = hasIstioProxy(vmi) ? ISTIO_PORTS.map((start) => el('range', { start, exclude: 'yes' })) : [];
  const rangesOf = (wanted: string): Element[] =>
    ports
      .filter(({ protocol, port }) => port >= 0 && (protocol || 'tcp').toLowerCase() === wanted)
      .map(({ port }) => el('range', { start: port }));
  const tcp = [...proxy, ...rangesOf('tcp')];
  const udp = rangesOf('udp');
  if (tcp.length + udp.length === 0) return ['tcp', 'udp'].map((proto) => el('portForward', { proto }));
  return [
    ...(tcp.length === 0 ? [] : [el('portForward', { proto: 'tcp' }, ...tcp)]),
    ...(udp.length === 0 ? [] : [el('portForward', { proto: 'udp' }, ...udp)]),
  ];
}

export interface PasstParts {
  source: Element;
  backend: Element;
  forwards: Element[];
}

/** The children of an `<interface>` that passt serves. */
export function passt(
  vmi: VirtualMachineInstance,
  spec: Interface,
  { podInterface }: InterfaceSource,
  { passtLog }: DomainFacts,
  at: string,
): PasstParts {
  if (!podInterface) {
    throw new DomainError(at, `the Pod has no NIC for "${spec.name}" yet`, 'wait for the Pod to get its network');
  }
  return {
    source: el('source', { dev: podInterface }),
    backend: el('backend', { type: 'passt', logFile: passtLog }),
    forwards: forwards(vmi, spec),
  };
}
