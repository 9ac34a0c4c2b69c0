/** NetworkPolicies: what the API server rejects, and rules that have no effect. */
import { mistake, nearest } from '../admission/rule';
import { isInCidr, readCidr } from '../cidr';
import { type Finding, type Path, root } from '../findings';
import type { KubeObject } from '../meta';
import { isPortName } from '../names';
import { type Json, listAt, objectAt, read, shown, textAt } from './read';
import { PROTOCOLS } from './service-values';

const at = root.at('spec');
const DIRECTIONS = [
  ['ingress', 'from', 'Ingress'],
  ['egress', 'to', 'Egress'],
] as const;

export function networkPolicy(object: KubeObject): Finding[] {
  const spec = objectAt(object, 'spec');
  if (!spec) return [];
  const types = Array.isArray(spec.policyTypes) ? (spec.policyTypes as unknown[]) : undefined;
  const unknown = (types ?? []).flatMap((got, i) => choice(got, ['Ingress', 'Egress'], at.at('policyTypes', i)));
  return [
    ...unknown,
    ...DIRECTIONS.flatMap(([field, peers, type]) => {
      const rules = listAt(spec, field);
      const isApplied = !types || types.includes(type) || unknown.length > 0;
      return [
        ...(rules.length === 0 || isApplied
          ? []
          : mistake(
              'network-policy-type',
              at.at(field),
              `policyTypes lacks ${type}, so these rules have no effect`,
              `add ${type} to policyTypes, or leave policyTypes out`,
            )),
        ...rules.flatMap((rule, i) => [
          ...listAt(rule, 'ports').flatMap((each, j) => port(each, at.at(field, i, 'ports', j))),
          ...listAt(rule, peers).flatMap((each, j) => peer(each, at.at(field, i, peers, j))),
        ]),
      ];
    }),
  ];
}

const choice = (got: unknown, allowed: readonly string[], path: Path): Finding[] =>
  got === undefined || allowed.includes(got as string)
    ? []
    : mistake('network-policy-value', path, `"${shown(got)}" is not supported`, nearest(shown(got), allowed), {
        value: got,
        allowed,
        type: 'FieldValueNotSupported',
      });

function port({ port: got, endPort, protocol }: Json, path: Path): Finding[] {
  const isNumber = typeof got === 'number';
  const isPort =
    got === undefined || (isNumber ? Number.isInteger(got) && got > 0 && got < 65_536 : isPortName(shown(got)));
  return [
    ...choice(protocol, PROTOCOLS, path.at('protocol')),
    ...(isPort
      ? []
      : mistake(
          'network-policy-port',
          path.at('port'),
          `"${shown(got)}" is not a valid port`,
          'use 1 to 65535, or the name of a port of the Pod',
          { value: got },
        )),
    ...(endPort === undefined || (isNumber && Number(endPort) >= got)
      ? []
      : mistake(
          'network-policy-port',
          path.at('endPort'),
          isNumber ? `the range ends at ${shown(endPort)}, before it begins at ${got}` : 'a range begins at a number',
          isNumber ? 'swap port and endPort' : 'set port to the first number of the range',
          { value: endPort },
        )),
  ];
}

function peer(each: Json, path: Path): Finding[] {
  const block = objectAt(each, 'ipBlock');
  if (!block) {
    if (each.podSelector !== undefined || each.namespaceSelector !== undefined) return [];
    const remedy = 'add podSelector, namespaceSelector or ipBlock';
    return mistake('network-policy-peer', path, 'a peer must select something', remedy, { type: 'FieldValueRequired' });
  }
  if (each.podSelector !== undefined || each.namespaceSelector !== undefined) {
    const cause = 'a peer with ipBlock cannot also have selectors';
    return mistake('network-policy-peer', path, cause, 'write two peers', { type: 'FieldValueForbidden' });
  }
  const cidr = textAt(block, 'cidr') ?? '';
  const network = readCidr(cidr);
  if (!network) return notCidr(cidr, path.at('ipBlock', 'cidr'));
  const except = read(block, 'except');
  return (Array.isArray(except) ? (except as unknown[]) : []).flatMap((got, i) => {
    const inner = path.at('ipBlock', 'except', i);
    const own = readCidr(shown(got));
    if (!own) return notCidr(shown(got), inner);
    if (isInCidr(shown(got).split('/')[0], cidr) && own.prefix > network.prefix) return [];
    const cause = `${shown(got)} is not a part of ${cidr}`;
    return mistake('network-policy-except', inner, cause, `use a smaller network of ${cidr}`, { value: got });
  });
}

const notCidr = (got: string, path: Path): Finding[] =>
  mistake('network-cidr', path, `"${got}" is not a CIDR`, 'write one like 192.0.2.0/24', { value: got });
