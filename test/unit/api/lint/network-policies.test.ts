import type { Loose } from '../fixtures';
import { alone, object } from './worlds';

const policy = (spec: Loose): Loose =>
  object('networking.k8s.io/v1', 'NetworkPolicy', 'web', { podSelector: {}, ...spec });
const ports = (...list: Loose[]): Loose => policy({ ingress: [{ ports: list }] });
const from = (...list: Loose[]): Loose => policy({ ingress: [{ from: list }] });
const block = (cidr: string, ...except: string[]): Loose => from({ ipBlock: { cidr, except } });

test.each<[string, Loose, string[]]>([
  ['accepts a policy that denies everything', policy({ policyTypes: ['Ingress', 'Egress'] }), []],
  ['accepts a port, a name and a range', ports({ port: 80 }, { port: 'http' }, { port: 80, endPort: 80 }), []],
  ['reports port 0', ports({ port: 0 }), ['network-policy-port spec.ingress[0].ports[0].port']],
  ['reports port 65536', ports({ port: 65_536 }), ['network-policy-port spec.ingress[0].ports[0].port']],
  [
    'reports a range that ends before it begins',
    ports({ port: 81, endPort: 80 }),
    ['network-policy-port spec.ingress[0].ports[0].endPort'],
  ],
  [
    'reports a range that begins at a name',
    ports({ port: 'http', endPort: 80 }),
    ['network-policy-port spec.ingress[0].ports[0].endPort'],
  ],
  [
    'reports a protocol',
    ports({ port: 80, protocol: 'tcp' }),
    ['network-policy-value spec.ingress[0].ports[0].protocol'],
  ],
  ['reports a direction', policy({ policyTypes: ['ingress'] }), ['network-policy-value spec.policyTypes[0]']],
  [
    'reports rules of a direction that the policy does not have',
    policy({ policyTypes: ['Egress'], ingress: [{}], egress: [{}] }),
    ['network-policy-type spec.ingress'],
  ],
  ['accepts egress rules without types', policy({ egress: [{}] }), []],
  ['accepts a network and an excluded part', block('10.0.0.0/8', '10.1.0.0/16'), []],
  ['reports an address', block('10.0.0.1'), ['network-cidr spec.ingress[0].from[0].ipBlock.cidr']],
  [
    'reports an excluded network outside and the whole network',
    block('10.0.0.0/8', '192.168.0.0/16', '10.0.0.0/8'),
    [0, 1].map((i) => `network-policy-except spec.ingress[0].from[0].ipBlock.except[${i}]`),
  ],
  ['reports a peer that selects nothing', from({}), ['network-policy-peer spec.ingress[0].from[0]']],
  [
    'reports a network and a selector in one peer',
    from({ ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} }),
    ['network-policy-peer spec.ingress[0].from[0]'],
  ],
])('%s', (_, made, want) => expect(alone(made)).toEqual(want));
