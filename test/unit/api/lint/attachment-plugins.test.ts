import type { Loose } from '../fixtures';
import { alone, object } from './worlds';

const at = 'spec.config';
const nad = (config: Loose, metadata: Loose = {}): Loose =>
  object('k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', 'lan', { config: JSON.stringify(config) }, metadata);
const bridge = (config: Loose): Loose => nad({ type: 'bridge', ...config });
const sriov = (config: Loose, resource = 'example.com/pool'): Loose =>
  nad({ type: 'sriov', ...config }, { annotations: { 'k8s.v1.cni.cncf.io/resourceName': resource } });
const ipam = { ipam: { type: 'host-local', ranges: [[{ subnet: '10.1.0.0/24' }]] } };

test.each<[string, Loose, string[]]>([
  ['accepts a VLAN', bridge({ vlan: 10 }), []],
  ['accepts a trunk with VLAN 0', bridge({ vlan: 0, vlanTrunk: [{ id: 5 }] }), []],
  ['reports a VLAN and a trunk', bridge({ vlan: 10, vlanTrunk: [{ id: 5 }] }), [`attachment-vlan ${at}`]],
  ['accepts a gateway with addresses', bridge({ isGateway: true, ipMasq: true, ...ipam }), []],
  ['reports a gateway without addresses', bridge({ isGateway: true }), [`attachment-ipam ${at}`]],
  ['reports NAT without addresses', bridge({ ipMasq: true, ipam: {} }), [`attachment-ipam ${at}`]],
  ['accepts no gateway', bridge({ isGateway: false }), []],
  ['accepts the smallest MTU', bridge({ mtu: 68 }), []],
  ['reports a smaller MTU', bridge({ mtu: 67 }), [`attachment-range ${at}`]],
  ['accepts the MTU of the kernel', bridge({ mtu: 0 }), []],
  ['reports a misspelt field', bridge({ brigde: 'br1' }), [`attachment-field ${at}`]],
  ['accepts a field in another case', bridge({ IsGateway: false }), []],
  ['accepts a field that resembles none', bridge({ experimental: true }), []],
  ['accepts any field of another plugin', nad({ type: 'calico', brigde: 1 }), []],
  ['reports a misspelt plugin', nad({ type: 'brigde' }), [`attachment-choice ${at}`]],
  ['accepts a plugin that resembles none', nad({ type: 'calico' }), []],
  ['reports a misspelt address management', bridge({ ipam: { type: 'hostlocal' } }), [`attachment-choice ${at}`]],
  ['accepts another address management', bridge({ ipam: { type: 'calico-ipam' } }), []],
  ['accepts a known version', bridge({ cniVersion: '1.0.0' }), []],
  ['reports an unknown version', bridge({ cniVersion: '2.0.0' }), [`attachment-choice ${at}`]],
  ['reports an unknown mode', nad({ type: 'macvlan', mode: 'brdige' }), [`attachment-choice ${at}`]],
  ['reports a long name of a card', nad({ type: 'macvlan', master: 'ethernet12345678' }), [`attachment-bridge ${at}`]],
  ['accepts the longest name of a card', nad({ type: 'macvlan', master: 'ethernet1234567' }), []],
  ['accepts equal rates', sriov({ min_tx_rate: 100, max_tx_rate: 100 }), []],
  ['reports a minimum above the maximum', sriov({ min_tx_rate: 101, max_tx_rate: 100 }), [`attachment-range ${at}`]],
  ['accepts a minimum without maximum', sriov({ min_tx_rate: 100, max_tx_rate: 0 }), []],
  ['accepts a priority in a VLAN', sriov({ vlan: 10, vlanQoS: 3 }), []],
  ['reports a priority without VLAN', sriov({ vlanQoS: 3 }), [`attachment-vlan ${at}`]],
  ['reports trust as a boolean', sriov({ trust: true }), [`attachment-choice ${at}`]],
  [
    'reports a resource without domain',
    sriov({}, 'sriov_net'),
    ['sriov-resource metadata.annotations.k8s.v1.cni.cncf.io/resourceName'],
  ],
])('%s', (_, made, want) => expect(alone(made)).toEqual(want));
