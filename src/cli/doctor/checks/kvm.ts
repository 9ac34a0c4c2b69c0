import { keys } from '../../../api/keys';
import { quantityValue, tryParseQuantity } from '../../../api/quantity';
import type { Node } from '../../../local/core-v1';
import { error, warning, type Check, type Finding } from '../finding';
import type { Facts } from '../facts';
import { isInstalled, usesEmulation } from '../platform';
import { grouped, nameOf, subjectOf } from '../words';
import { guestNodes, isReady } from './nodes';

/** Whether nodes can run guests with hardware virtualization, and offer the devices of guests. */
export const kvm: Check = { name: 'kvm', reads: ['nodes', 'kubeVirts'], find };

/** Devices that guests need besides KVM; vhost-net only makes networks faster. */
const TUN = `${keys.devicePrefix}tun`;

function find(facts: Facts): Finding[] {
  if (!isInstalled(facts)) return [];
  const nodes = guestNodes(facts).filter(isReady);
  const emulates = usesEmulation(facts);
  return [
    ...unusable(nodes, emulates),
    ...notOffered(nodes, keys.kvmDevice, !emulates),
    ...notOffered(nodes, TUN, true),
  ];
}

function unusable(nodes: readonly Node[], emulates: boolean): Finding[] {
  const unable = nodes.flatMap((node) => {
    const reason = node.metadata.annotations?.[keys.kvmUnusable];
    return reason === undefined ? [] : [{ name: nameOf(node), reason }];
  });
  // other nodes can run the guests
  const isFatal = !emulates && unable.length === nodes.length;
  return [...grouped(unable, ({ reason }) => reason)].map(([reason, of]) => {
    const subject = subjectOf(
      'Node',
      of.map(({ name }) => name),
    );
    if (emulates) {
      const cause = `KVM cannot be used, so guests are emulated, many times slower: ${reason}`;
      return warning(
        subject,
        cause,
        'enable virtualization in the firmware, or nested virtualization of the hypervisor',
      );
    }
    const cause = `KVM cannot be used, so no guest starts there: ${reason}`;
    const remedy =
      'enable virtualization in the firmware, or nested virtualization of the hypervisor; for tests, set useEmulation in the configuration of the KubeVirt object';
    return isFatal ? error(subject, cause, remedy) : warning(subject, cause, remedy);
  });
}

/** The device exists, and the kubelet does not offer it. */
function notOffered(nodes: readonly Node[], device: string, isRequired: boolean): Finding[] {
  const without = nodes.filter(({ metadata, status }) => {
    const isKnown = device === keys.kvmDevice && metadata.annotations?.[keys.kvmUnusable] !== undefined;
    return !isKnown && countOf(status?.allocatable?.[device]) === 0n;
  });
  if (without.length === 0 || !isRequired) return [];
  return [
    error(
      subjectOf('Node', without.map(nameOf)),
      `the kubelet offers no ${device}, so no guest starts there`,
      'virt-handler registers the device with the kubelet: check its log, and that kubeletDirectory of VirtPlatform is the directory of the kubelet',
    ),
  ];
}

/** The API server writes a thousand devices as `1k`. */
const countOf = (text: string | number | undefined): bigint =>
  tryParseQuantity(text) === undefined ? 0n : quantityValue(text);
