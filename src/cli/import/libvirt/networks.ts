/** Maps interfaces of a domain to interfaces, networks and attachments. Pure. */
import type { Remarks } from './notes';
import { dnsName, integer, some } from './units';
import type { Xml } from './xml';

export interface Networks {
  readonly interfaces: Record<string, unknown>[];
  readonly networks: Record<string, unknown>[];
  /** NetworkAttachmentDefinitions that they require, by name. */
  readonly attachments: Map<string, Record<string, unknown>>;
  readonly multiQueue: boolean;
}

const MODELS = /^(virtio|e1000e?|igb|rtl8139|pcnet|ne2k_pci)$/;

export function networksOf(devices: Xml | undefined, remarks: Remarks): Networks {
  const found = { interfaces: [], networks: [], attachments: new Map(), multiQueue: false };
  const nics = devices?.children('interface') ?? [];
  return nics.reduce<Networks>((all, nic) => add(all, nic, remarks), found);
}

function add(all: Networks, nic: Xml, { remark }: Remarks): Networks {
  const type = nic.attribute('type') ?? 'network';
  const source = nic.child('source');
  const [bridge, network, dev] = ['bridge', 'network', 'dev'].map((each) => source?.attribute(each));
  source?.settled();
  nic.child('virtualport')?.settled();
  const model = nic.child('model')?.attribute('type');
  const queues = nic.child('driver')?.attribute('queues');
  for (const usual of ['name', 'txmode', 'rx_queue_size', 'tx_queue_size']) nic.child('driver')?.attribute(usual);
  nic.child('mtu')?.settled();
  const options = some({
    macAddress: nic.child('mac')?.attribute('address'),
    model: model !== undefined && model !== 'virtio' && MODELS.test(model) ? model : undefined,
    bootOrder: integer(nic.child('boot')?.attribute('order')),
    acpiIndex: integer(nic.child('acpi')?.attribute('index')),
    state: nic.child('link')?.attribute('state') === 'down' ? 'down' : undefined,
  });
  if (model !== undefined && !MODELS.test(model))
    remark(`the network card ${model} has no counterpart: it becomes virtio`);
  const multiQueue = all.multiQueue || queues !== undefined;

  const hasPod = all.networks.some((each) => each.pod !== undefined);
  if (
    !hasPod &&
    (type === 'user' || type === 'ethernet' || (type === 'network' && (network ?? 'default') === 'default'))
  ) {
    const interfaces = [...all.interfaces, { name: 'default', masquerade: {}, ...options }];
    return { ...all, interfaces, networks: [...all.networks, { name: 'default', pod: {} }], multiQueue };
  }
  const wanted = bridge ?? network ?? dev ?? type;
  const attachment = dnsName(wanted, 'net');
  const taken = all.networks.filter(
    ({ name }) => name === attachment || String(name).startsWith(`${attachment}-`),
  ).length;
  const name = taken > 0 ? `${attachment}-${taken + 1}` : attachment;
  const attachments = new Map(all.attachments);
  if (!attachments.has(attachment)) {
    // macvlan, which libvirt uses for a device, accepts only the address of the Pod, not that of a bridged guest
    const onNode = bridge ?? (type === 'direct' && dev !== undefined ? `br-${dev}` : undefined);
    const config = onNode && { cniVersion: '0.3.1', name: attachment, type: 'bridge', bridge: onNode };
    if (config) {
      attachments.set(attachment, config);
      remark(
        `the interface on ${wanted} needs ${bridge ? 'a bridge of this name' : `a bridge ${onNode} with the device ${dev}`} on each node where the VM may run`,
      );
    } else remark(`the interface on ${wanted} needs a NetworkAttachmentDefinition named ${attachment}`);
  }
  const binding = type === 'hostdev' ? { sriov: {} } : { bridge: {} };
  return {
    interfaces: [...all.interfaces, { name, ...binding, ...options }],
    networks: [...all.networks, { name, multus: { networkName: attachment } }],
    attachments,
    multiQueue,
  };
}
