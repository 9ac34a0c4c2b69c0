import { BlockList, isIP } from 'node:net';
import { selector } from '../table/format';
import { Fields } from '../validation/fields';
import { LabelSelector, validateLabelSelector } from '../validation/label-selector';
import { isCidr, isPortName, isPortNumber } from '../validation/names';
import { define } from './define';
import { textPrinter } from './printers';

interface Port {
  protocol?: string;
  readonly port?: number | string;
  readonly endPort?: number;
}

interface Peer {
  readonly podSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  readonly ipBlock?: { readonly cidr?: string; readonly except?: readonly string[] };
}

interface Rule {
  readonly ports?: Port[];
  readonly from?: Peer[];
  readonly to?: Peer[];
}

const TYPES = ['Ingress', 'Egress'];

function validatePort({ protocol, port, endPort }: Port, at: Fields): void {
  if (protocol !== undefined && !['TCP', 'UDP', 'SCTP'].includes(protocol)) {
    at.child('protocol').notSupported(protocol, ['TCP', 'UDP', 'SCTP']);
  }
  const end = at.child('endPort');
  if (port === undefined) {
    if (endPort !== undefined) end.invalid(endPort, 'may not be specified when `port` is not specified');
  } else if (typeof port === 'string') {
    if (endPort !== undefined) end.invalid(endPort, 'may not be specified when `port` is non-numeric');
    at.child('port').invalidEach(port, isPortName(port));
  } else {
    at.child('port').invalidEach(port, isPortNumber(port));
    if (endPort === undefined) return;
    if (endPort < port) end.invalid(port, 'must be greater than or equal to `port`');
    end.invalidEach(endPort, isPortNumber(endPort));
  }
}

/** Whether `inner` is a part of `outer`, but not all of it. Both are valid. */
function isStrictSubset(inner: string, outer: string): boolean {
  const [[address, bits], [base, length]] = [inner, outer].map((text) => text.split('/'));
  const family = (text: string) => (isIP(text) === 6 ? 'ipv6' : 'ipv4');
  const block = new BlockList();
  block.addSubnet(base, Number(length), family(base));
  return family(address) === family(base) && block.check(address, family(address)) && Number(bits) > Number(length);
}

function validateBlock({ cidr, except = [] }: NonNullable<Peer['ipBlock']>, at: Fields): void {
  if (!cidr) {
    at.child('cidr').required();
    return;
  }
  const wrong = isCidr(cidr);
  at.child('cidr').invalidEach(cidr, wrong);
  except.forEach((range, i) => {
    const here = at.child('except').index(i);
    const invalid = isCidr(range);
    here.invalidEach(range, invalid);
    if (wrong.length || invalid.length || isStrictSubset(range, cidr)) return;
    here.invalid(range, 'must be a strict subset of `cidr`');
  });
}

function validatePeer({ podSelector, namespaceSelector, ipBlock }: Peer, at: Fields): void {
  validateLabelSelector(podSelector, at.child('podSelector'));
  validateLabelSelector(namespaceSelector, at.child('namespaceSelector'));
  if (ipBlock) validateBlock(ipBlock, at.child('ipBlock'));
  if (!podSelector && !namespaceSelector && !ipBlock) at.required('must specify a peer');
  else if (ipBlock && (podSelector || namespaceSelector)) {
    at.forbidden('may not specify both ipBlock and another peer');
  }
}

const rulesOf = (spec: { ingress?: Rule[]; egress?: Rule[] }): Rule[] => [
  ...(spec.ingress ?? []),
  ...(spec.egress ?? []),
];

export const networkPolicy = define({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  singular: 'networkpolicy',
  namespaced: true,
  shortNames: ['netpol'],
  generation: true,
  printer: textPrinter({ 'Pod-Selector': ({ spec }) => selector(spec?.podSelector) }),
  defaults(object) {
    const spec = (object.spec ??= {});
    if (!spec.policyTypes) spec.policyTypes = spec.egress ? ['Ingress', 'Egress'] : ['Ingress'];
    for (const { ports } of rulesOf(spec)) for (const port of ports ?? []) port.protocol ??= 'TCP';
  },
  validate({ spec }, fields) {
    const at = fields.child('spec');
    validateLabelSelector(spec.podSelector, at.child('podSelector'));
    for (const [direction, peers] of [
      ['ingress', 'from'],
      ['egress', 'to'],
    ] as const) {
      ((spec[direction] ?? []) as Rule[]).forEach((rule, i) => {
        const here = at.child(direction).index(i);
        (rule.ports ?? []).forEach((port, j) => validatePort(port, here.child('ports').index(j)));
        (rule[peers] ?? []).forEach((peer, j) => validatePeer(peer, here.child(peers).index(j)));
      });
    }
    const types: string[] = spec.policyTypes ?? [];
    if (types.length > 2) at.child('policyTypes').invalid(types, 'may not specify more than two policyTypes');
    else {
      types.forEach((type, i) => {
        if (!TYPES.includes(type)) at.child('policyTypes').index(i).notSupported(type, TYPES);
      });
    }
  },
});
