/** Values of a guest that the platform accepts, and that fail or are ignored when it starts. */
import { duplicates, mistake } from '../admission/rule';
import { readCidr } from '../cidr';
import type { Finding, Path } from '../findings';
import { imageProblem, isLibraryImage } from '../image-reference';
import type { KubeObject } from '../meta';
import { deviceValues } from './guest-disks';
import { guestsIn } from './network-guests';
import { type Json, listAt, objectAt, read, textAt } from './read';

type Rule = (spec: Json, at: Path) => Finding[];

/** Everything that is wrong with the spec of a guest by itself, wherever that spec is. */
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
  const cause = `"${text}" is an image for containers: it has no disk in /disk, and the guest does not start`;
  const remedy = 'use an image that is made as a container disk, such as quay.io/containerdisks/fedora:42';
  return mistake('container-disk-library', path, cause, remedy, { value: text });
}

/** A reference without scheme. */
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
    const remedy = 'write one whose second digit is 2, 6, a or e, such as 02:00:00:12:34:56';
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
    const cause = `disk "${String(disks[first].name)}" has the serial "${key}", too: the guest finds only one of them by it`;
    const extra = { value: key, type: 'FieldValueDuplicate' } as const;
    return mistake('disk-serial-unique', path, cause, 'give each disk its own', extra);
  });
};

/** Gateway and guest have an address each. */
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

/** Kubernetes asks the same of the probes of a Pod, which the launcher's are made of. */
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
            `a liveness probe succeeds at once, not after ${successes} answers`,
            'leave it out',
            { value: successes },
          )
        : []),
      ...probePort(objectAt(spec, field), spec, path),
    ];
  });

/** The kubelet probes the Pod, and masquerade forwards to the guest what its interface lists, if it lists anything. */
function probePort(probe: Json | undefined, spec: Json, at: Path): Finding[] {
  for (const handler of ['httpGet', 'tcpSocket']) {
    const port = read(probe, handler, 'port');
    const host = textAt(probe, handler, 'host');
    // of another host is asked whether that is open
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
    const remedy = 'add the port to the ports of the network, or probe one that is open';
    return mistake('probe-port-open', at.at(handler, 'port'), cause, remedy, { value: port, allowed });
  }
  return [];
}

/** Kubernetes' own label, which no node has twice. */
const ARCHITECTURE = 'kubernetes.io/arch';

const architecture: Rule = (spec, at) => {
  const own = textAt(spec, 'architecture');
  const wanted = textAt(spec, 'nodeSelector', ARCHITECTURE);
  if (own === undefined || wanted === undefined || own === wanted) return [];
  const cause = `the guest is ${own}, and this asks for nodes that are ${wanted}: none fits`;
  const path = at.at('nodeSelector', ARCHITECTURE);
  return mistake('node-architecture', path, cause, `write ${own}, or leave it out`, { value: wanted, allowed: [own] });
};

const rules: readonly Rule[] = [images, macAddresses, serials, cidrs, probes, architecture, ...deviceValues];
