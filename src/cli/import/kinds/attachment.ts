/** NetworkAttachmentDefinitions. Pure. */
import { isFields } from '../difference';
import { call, type Expression, object, value } from '../expression';
import { metadataOf } from '../metadata';
import type { Mapping, Surroundings } from './kind';
import { choice, type Fields, fieldsOf, flag, itemsOf, number, onlyKey, text } from './values';

const RESOURCE_NAME = 'k8s.v1.cni.cncf.io/resourceName';

interface MadeCni {
  _render(attachment: object): string;
}

/** Maps to the construct only if it renders exactly the same configuration text. */
export const networkAttachment: Mapping = ({ spec, metadata }, around) => {
  const { config } = fieldsOf(spec);
  const fields = parsed(config);
  if (!fields || onlyKey(spec) !== 'config') return undefined;
  const { name, namespace } = around.object;
  const annotations = fieldsOf(metadata.annotations);
  const resourceName = annotations[RESOURCE_NAME];
  const attachment = { name, metadata: { namespace } };
  const cni = candidates(fields, resourceName, around)
    .map((made) => made && around.exact<MadeCni>(made, config, (each) => each._render(attachment)))
    .find((made) => made !== undefined);
  if (!cni) return undefined;
  const { [RESOURCE_NAME]: _, ...others } = annotations;
  const own = resourceName === undefined ? metadata : { ...metadata, annotations: others };
  return { construct: 'NetworkAttachment', props: { metadata: metadataOf(own, around.name), config: cni } };
};

function parsed(config: unknown): Fields | undefined {
  if (typeof config !== 'string') return undefined;
  try {
    const read: unknown = JSON.parse(config);
    return isFields(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function candidates(fields: Fields, resourceName: unknown, around: Surroundings): (Expression | undefined)[] {
  const { cniVersion, name, ipam, ...rest } = fields;
  const common = {
    cniVersion: cniVersion === '0.3.1' ? undefined : text(cniVersion),
    ipam: isFields(ipam) ? ipamOf(ipam, around) : undefined,
  };
  const mtu = number(fields.mtu);
  const resource = text(resourceName);
  const { cniVersion: _, name: __, ...plain } = fields;
  const withoutUsual = {
    ...(cniVersion === '0.3.1' ? {} : { cniVersion }),
    ...(name === around.object.name ? {} : { name }),
    ...plain,
  };
  return [
    fields.type === 'bridge' && text(fields.bridge)
      ? call('Cni.bridge', text(fields.bridge), object({ ...bridge(rest), mtu, ...common }))
      : undefined,
    fields.type === 'macvlan' && text(fields.master)
      ? call(
          'Cni.macvlan',
          text(fields.master),
          object({ mode: choice(around, 'MacvlanMode', fields.mode), mtu, ...common }),
        )
      : undefined,
    fields.type === 'ovs' && text(fields.bridge)
      ? call('Cni.ovs', text(fields.bridge), object({ vlan: number(fields.vlan), mtu, ...common }))
      : undefined,
    fields.type === 'sriov' && resource
      ? call('Cni.sriov', resource, object({ ...sriov(rest, around), ...common }))
      : undefined,
    call('Cni.raw', value(withoutUsual), object({ resourceName: resource })),
    call('Cni.raw', value(fields), object({ resourceName: resource })),
  ];
}

function bridge(fields: Fields): Record<string, Expression | undefined> {
  const trunk = itemsOf(fields.vlanTrunk)?.map(({ id }) => id);
  return {
    vlan: number(fields.vlan),
    vlanTrunk: trunk?.every((id) => typeof id === 'number') ? value(trunk) : undefined,
    preserveDefaultVlan: flag(fields.preserveDefaultVlan),
    macSpoofCheck: flag(fields.macspoofchk),
    portIsolation: flag(fields.portIsolation),
    isGateway: flag(fields.isGateway),
    ipMasquerade: flag(fields.ipMasq),
  };
}

function sriov(fields: Fields, around: Surroundings): Record<string, Expression | undefined> {
  const onOff = (given: unknown): Expression | undefined =>
    given === 'on' ? value(true) : given === 'off' ? value(false) : undefined;
  return {
    vlan: number(fields.vlan),
    vlanQos: number(fields.vlanQoS),
    spoofCheck: onOff(fields.spoofchk),
    trust: onOff(fields.trust),
    linkState: choice(around, 'SriovLinkState', fields.link_state),
    minTxRate: number(fields.min_tx_rate),
    maxTxRate: number(fields.max_tx_rate),
  };
}

function ipamOf(given: Fields, around: Surroundings): Expression | undefined {
  const made = [
    call('CniIpam.dhcp'),
    typeof given.range === 'string' ? call('CniIpam.whereabouts', value(given.range)) : undefined,
    call('CniIpam.raw', value(given)),
  ];
  return made
    .map((each) => each && around.exact<{ _render(): unknown }>(each, given, (cni) => cni._render()))
    .find((each) => each !== undefined);
}
