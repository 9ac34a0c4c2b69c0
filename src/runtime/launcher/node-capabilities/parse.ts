/** Reads libvirt's descriptions of a node. Pure. */
import { DOMParser, type Element } from '@xmldom/xmldom';
import type { GuestCapabilities, GuestSecurity, NodeCapabilities } from '../../../api/node-capabilities';

/** Kubernetes' names of QEMU's architectures. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x86_64: 'amd64', aarch64: 'arm64', s390x: 's390x' };

/** KubeVirt's names of the Hyper-V enlightenments that libvirt names differently. */
const HYPERV: Readonly<Record<string, string>> = { stimer: 'synictimer', vendor_id: 'vendorid' };

/** libvirt's descriptions of one kind of virtualization. */
export interface GuestDescriptions {
  /** `<domainCapabilities>` */
  readonly domain: string;
  /** `<cpu>` of a guest with `host-model` and all its features; undefined if libvirt has no such guest. */
  readonly features?: string;
  /** Models that QEMU offers and libvirt rejects, because its definition of the model has features that the CPU lacks. */
  readonly rejected?: readonly string[];
}

/** Machines, architectures and TSC of `<capabilities>`. @throws if the text is not such a document */
export function hostCapabilities(xml: string): Pick<NodeCapabilities, 'machines' | 'architectures' | 'tsc'> {
  const root = parse(xml, 'capabilities');
  const own = childOf(root, 'host', 'cpu', 'arch')?.textContent ?? '';
  const guests = childrenOf(root, 'guest').flatMap((guest) => childrenOf(guest, 'arch'));
  const arch = guests.find((guest) => guest.getAttribute('name') === own);
  const tsc = childrenOf(childOf(root, 'host', 'cpu'), 'counter').find(
    (counter) => counter.getAttribute('name') === 'tsc',
  );
  const frequency = Number(tsc?.getAttribute('frequency'));
  return {
    machines: unique(childrenOf(arch, 'machine').map(text)),
    architectures: unique(guests.flatMap((guest) => ARCHITECTURES[guest.getAttribute('name') ?? ''] ?? [])),
    ...(frequency > 0 && { tsc: { frequency, scalable: tsc?.getAttribute('scaling') === 'yes' } }),
  };
}

/** Models, features and security of guests. @throws Error if the texts are not documents of libvirt's capabilities */
export function guestCapabilities({ domain, features, rejected = [] }: GuestDescriptions): GuestCapabilities {
  const root = parse(domain, 'domainCapabilities');
  const modes = childrenOf(childOf(root, 'cpu'), 'mode');
  const modeOf = (name: string): Element | undefined =>
    modes.find((mode) => mode.getAttribute('name') === name && isSupported(mode));
  const usable = childrenOf(modeOf('custom'), 'model').filter(
    (model) => model.getAttribute('usable') === 'yes' && !rejected.includes(text(model)),
  );
  const hostModel = modeOf('host-model');
  const name = text(childOf(hostModel, 'model'));
  const vendor = text(childOf(hostModel, 'vendor'));
  const hyperv = childOf(root, 'features', 'hyperv');
  return {
    models: Object.fromEntries(usable.map((model) => [text(model), model.getAttribute('canonical')])),
    features: features === undefined ? [] : requiredOf(parse(features, 'cpu')),
    ...(hostModel && name && { hostModel: { name, ...(vendor && { vendor }), required: requiredOf(hostModel) } }),
    hyperv: isSupported(hyperv) ? valuesOf(hyperv, 'features').map((value) => HYPERV[value] ?? value) : [],
    security: securityOf(childOf(root, 'features')),
  };
}

/** `<cpu>` of the guest with `host-model`, in the form that libvirt's other calls accept. */
export function hostModelCpu(domain: string): string | undefined {
  const modes = childrenOf(childOf(parse(domain, 'domainCapabilities'), 'cpu'), 'mode');
  const mode = modes.find((candidate) => candidate.getAttribute('name') === 'host-model' && isSupported(candidate));
  if (!mode || !childOf(mode, 'model')) return undefined;
  const parts = Array.from(mode.childNodes, (node) => node.toString()).join('');
  return `<cpu mode='custom' match='exact'>${parts}</cpu>`;
}

function securityOf(features: Element | undefined): GuestSecurity[] {
  const sev = childOf(features, 'sev');
  const launch = childOf(features, 'launchSecurity');
  const kinds = isSupported(launch) ? valuesOf(launch, 'sectype') : [];
  return [
    ...(isSupported(sev) ? (['sev'] as const) : []),
    ...(isSupported(sev) && Number(text(childOf(sev, 'maxESGuests'))) > 0 ? (['sev-es'] as const) : []),
    ...(['sev-snp', 'tdx', 's390-pv'] as const).filter((kind) => kinds.includes(kind)),
  ];
}

const isSupported = (element: Element | undefined): element is Element => element?.getAttribute('supported') === 'yes';

const requiredOf = (cpu: Element): string[] =>
  childrenOf(cpu, 'feature').flatMap((feature) =>
    feature.getAttribute('policy') === 'require' ? (feature.getAttribute('name') ?? []) : [],
  );

/** Values of an `<enum>`. */
function valuesOf(element: Element, name: string): string[] {
  const list = childrenOf(element, 'enum').find((candidate) => candidate.getAttribute('name') === name);
  return childrenOf(list, 'value').map(text);
}

/** @throws Error for a text that is not a document with this root */
function parse(xml: string, root: string): Element {
  const problems: string[] = [];
  let element: Element | null = null;
  try {
    element = new DOMParser({ onError: (_, message) => problems.push(message) }).parseFromString(
      xml,
      'text/xml',
    ).documentElement;
  } catch (error) {
    problems.push((error as Error).message);
  }
  if (element?.tagName === root && problems.length === 0) return element;
  throw new Error(`libvirt did not return <${root}>: ${problems[0] ?? `the root is <${element?.tagName}>`}`);
}

function childrenOf(element: Element | undefined, name: string): Element[] {
  return Array.from(element?.childNodes ?? []).filter(
    (node): node is Element => node.nodeType === 1 && (node as Element).tagName === name,
  );
}

function childOf(element: Element | undefined, ...path: readonly string[]): Element | undefined {
  return path.reduce<Element | undefined>((at, name) => childrenOf(at, name)[0], element);
}

const text = (element: Element | undefined): string => element?.textContent?.trim() ?? '';
const unique = (values: readonly string[]): string[] => [...new Set(values)].sort();
