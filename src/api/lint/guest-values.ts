/** Values of a guest that the platform accepts, but that fail or are ignored when the guest starts. */
import { duplicates, mistake } from '../admission/rule';
import { readCidr } from '../cidr';
import type { Finding, Path } from '../findings';
import { imageProblem, isLibraryImage } from '../image-reference';
import type { KubeObject } from '../meta';
import { bootValues } from './guest-boot';
import { cpuValues } from './guest-cpu';
import { deviceValues } from './guest-disks';
import { placementValues } from './guest-placement';
import { volumeValues } from './guest-volumes';
import { guestsIn } from './network-guests';
import { type Json, listAt, objectAt, read, textAt } from './read';

type Rule = (spec: Json, at: Path) => Finding[];

/** Returns the mistakes in the spec of a guest, in whichever object that spec is. */
export function guestValues(object: KubeObject): Finding[] {
  const guests = guestsIn(object);
  return guests ? rules.flatMap((rule) => rule(guests.spec, guests.at)) : [];
}

const images: Rule = (spec, at) => {
  const disks = listAt(spec, 'volumes').flatMap((volume, i) => {
    const image = textAt(volume, 'containerDisk', 'image');
    return image === undefined ? [] : containerDisk(image, at.at('volumes', i, 'containerDisk', 'image'));
  });
  const kernel = textAt(spec, 'domain', 'firmware', 'kernelBoot', 'container', 'image');
  const path = at.at('domain', 'firmware', 'kernelBoot', 'container', 'image');
  return kernel === undefined ? disks : [...disks, ...image(kernel, path)];
};

function containerDisk(text: string, path: Path): Finding[] {
  const errors = image(text, path);
  if (errors.length > 0 || !isLibraryImage(text)) return errors;
  const cause = `"${text}" is a plain container image: it has no disk in /disk, so the guest does not start`;
  const remedy = 'use a container disk, such as quay.io/containerdisks/fedora:42';
  return mistake('container-disk-library', path, cause, remedy, { value: text });
}

/** Validates an image reference without a scheme. */
export function image(text: string, path: Path, rest = text): Finding[] {
  const problem = imageProblem(rest);
  if (!problem) return [];
  return mistake('image-reference', path, `"${text}" ${problem.cause}`, problem.remedy, { value: text });
}

const macAddresses: Rule = (spec, at) =>
  listAt(spec, 'domain', 'devices', 'interfaces').flatMap((iface, i) => {
    const got = textAt(iface, 'macAddress');
    const digits = got?.replace(/[^\da-f]/gi, '') ?? '';
    if (digits.length !== 12) return [];
    const path = at.at('domain', 'devices', 'interfaces', i, 'macAddress');
    const remedy = 'write an address whose second digit is 2, 6, a or e, such as 02:00:00:12:34:56';
    if (/^0+$/.test(digits)) return mistake('mac-unicast', path, `"${got}" is not an address`, remedy, { value: got });
    if (parseInt(digits.slice(0, 2), 16) % 2 === 0) return [];
    return mistake('mac-unicast', path, `"${got}" is a multicast address, which no card can have`, remedy, {
      value: got,
    });
  });

const serials: Rule = (spec, at) => {
  const disks = listAt(spec, 'domain', 'devices', 'disks');
  return duplicates(disks, (disk) => textAt(disk, 'serial')).flatMap(({ key, index, first }) => {
    const path = at.at('domain', 'devices', 'disks', index, 'serial');
    const cause = `disk "${String(disks[first].name)}" also has the serial "${key}": the guest can find only one of them by it`;
    const extra = { value: key, type: 'FieldValueDuplicate' } as const;
    return mistake('disk-serial-unique', path, cause, 'give each disk its own serial', extra);
  });
};

/** Networks in which the gateway and the guest each need an address. */
const podNetworks = [
  ['vmNetworkCIDR', 4, 30, '10.0.2.0/24'],
  ['vmIPv6NetworkCIDR', 6, 126, 'fd10:0:2::/120'],
] as const;

const cidrs: Rule = (spec, at) =>
  listAt(spec, 'networks').flatMap((network, i) =>
    podNetworks.flatMap(([field, family, longest, example]) => {
      const got = textAt(network, 'pod', field);
      const cidr = got === undefined ? undefined : readCidr(got);
      if (got === undefined || (cidr?.family === family && cidr.prefix <= longest)) return [];
      const path = at.at('networks', i, 'pod', field);
      const cause =
        cidr?.family === family
          ? `"${got}" has no room for a gateway and a guest`
          : `"${got}" is not an IPv${family} CIDR`;
      return mistake('network-cidr', path, cause, `write one like ${example}`, { value: got });
    }),
  );

/** Kubernetes has the same rules for probes of a Pod, and the launcher's probes are derived from these. */
const probes: Rule = (spec, at) =>
  (['readinessProbe', 'livenessProbe'] as const).flatMap((field) => {
    const path = at.at(field);
    const http = read(spec, field, 'httpGet', 'path');
    const successes = read(spec, field, 'successThreshold');
    return [
      ...(typeof http === 'string' && http !== '' && !http.startsWith('/')
        ? mistake('probe-path', path.at('httpGet', 'path'), `"${http}" is not a path`, 'begin it with /', {
            value: http,
          })
        : []),
      ...(field === 'livenessProbe' && typeof successes === 'number' && successes > 1
        ? mistake(
            'probe-success-threshold',
            path.at('successThreshold'),
            `a liveness probe must succeed after 1 answer, not ${successes}`,
            'leave it out',
            { value: successes },
          )
        : []),
      ...probePort(objectAt(spec, field), spec, path),
    ];
  });

/** The kubelet probes the Pod. Masquerade forwards only the listed ports to the guest, if the interface lists any. */
function probePort(probe: Json | undefined, spec: Json, at: Path): Finding[] {
  for (const handler of ['httpGet', 'tcpSocket']) {
    const port = read(probe, handler, 'port');
    const host = textAt(probe, handler, 'host');
    // a probe of another host does not reach this guest
    if (port === undefined || host !== undefined) continue;
    const networks = listAt(spec, 'networks')
      .filter(({ pod }) => pod)
      .map(({ name }) => name);
    const iface = listAt(spec, 'domain', 'devices', 'interfaces').find(
      (each) => networks.includes(each.name) && (each.masquerade || each.passtBinding),
    );
    const ports = listAt(iface, 'ports').filter(({ protocol }) => protocol === undefined || protocol === 'TCP');
    const ranges = listAt(iface, 'portRanges').filter(({ protocol }) => protocol === undefined || protocol === 'TCP');
    if (listAt(iface, 'ports').length + listAt(iface, 'portRanges').length === 0) continue;
    const isOpen =
      ports.some((each) => each.port === Number(port)) ||
      ranges.some(({ start, end }) => Number(start) <= Number(port) && Number(port) <= Number(end));
    if (isOpen) continue;
    const allowed = [
      ...ports.map((each) => String(each.port)),
      ...ranges.map(({ start, end }) => `${String(start)}-${String(end)}`),
    ];
    const cause = `the network "${String(iface?.name)}" does not open port ${String(port)}, so the probe always fails`;
    const remedy = 'add the port to the ports of the network, or probe an open port';
    return mistake('probe-port-open', at.at(handler, 'port'), cause, remedy, { value: port, allowed });
  }
  return [];
}

/** Kubernetes' label for the architecture of a node. */
const ARCHITECTURE = 'kubernetes.io/arch';

const architecture: Rule = (spec, at) => {
  const own = textAt(spec, 'architecture');
  const wanted = textAt(spec, 'nodeSelector', ARCHITECTURE);
  if (own === undefined || wanted === undefined || own === wanted) return [];
  const cause = `the guest has the architecture ${own}, but selects nodes with ${wanted}, so no node fits`;
  const path = at.at('nodeSelector', ARCHITECTURE);
  return mistake('node-architecture', path, cause, `write ${own}, or leave it out`, { value: wanted, allowed: [own] });
};

const rules: readonly Rule[] = [
  images,
  macAddresses,
  serials,
  cidrs,
  probes,
  architecture,
  ...deviceValues,
  ...cpuValues,
  ...bootValues,
  ...placementValues,
  ...volumeValues,
];
