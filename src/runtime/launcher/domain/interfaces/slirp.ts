/**
 * QEMU's own user networking, for manifests from before other projects removed it. libvirt cannot forward ports to it, so
 * it is configured by QEMU arguments.
 */
import type { Interface, Network, VirtualMachineInstance } from '../../../../api';

/** Addresses inside the network if it sets none. */
const DEFAULT_CIDR = '10.0.2.0/24';

function forwards({ ports = [] }: Interface): string {
  return ports
    .map(({ port, protocol }) => `,hostfwd=${protocol?.toLowerCase() === 'udp' ? 'udp' : 'tcp'}::${port}-:${port}`)
    .join('');
}

/** QEMU's escape for a comma within an option. */
const plain = (text: string): string => text.replaceAll(',', ',,');

function argumentsOf(spec: Interface, network: Network | undefined): string[] {
  const { macAddress, model } = spec;
  const name = plain(spec.name);
  const driver = !model || model === 'virtio' ? 'virtio-net-pci' : model;
  return [
    '-netdev',
    `user,id=${name},net=${plain(network?.pod?.vmNetworkCIDR || DEFAULT_CIDR)}${forwards(spec)}`,
    '-device',
    `${driver},netdev=${name},id=${name}${macAddress ? `,mac=${plain(macAddress)}` : ''}`,
  ];
}

/** QEMU arguments for each slirp interface. */
export function slirpArguments({ spec }: VirtualMachineInstance): string[] {
  return (spec.domain.devices.interfaces ?? [])
    .filter(({ slirp, state }) => slirp && state !== 'absent')
    .flatMap((each) =>
      argumentsOf(
        each,
        spec.networks?.find(({ name }) => name === each.name),
      ),
    );
}
