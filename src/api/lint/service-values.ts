/** Values of a Service that the API server rejects, or that have no effect. */
import { isIP } from 'node:net';
import { duplicates, mistake, nearest } from '../admission/rule';
import { isInCidr, readCidr } from '../cidr';
import { type Finding, type RuleId, root } from '../findings';
import type { KubeObject } from '../meta';
import { isQualifiedName } from '../names';
import { type Json, listAt, objectAt, read, shown, textAt } from './read';

const at = root.at('spec');
const none: readonly Finding[] = [];

const TYPES = ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'];
const POLICIES = ['Cluster', 'Local'];

/** Fields with few values. */
const choices: readonly (readonly [string, readonly string[]])[] = [
  ['type', TYPES],
  ['externalTrafficPolicy', POLICIES],
  ['internalTrafficPolicy', POLICIES],
  ['sessionAffinity', ['None', 'ClientIP']],
  ['ipFamilyPolicy', ['SingleStack', 'PreferDualStack', 'RequireDualStack']],
];
const FAMILIES = ['IPv4', 'IPv6'];
export const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];

/** Reports values of a Service, and values that contradict each other. */
export function serviceValues(object: KubeObject): readonly Finding[] {
  const spec = objectAt(object, 'spec');
  if (!spec) return none;
  return [
    ...values(spec),
    ...addresses(spec),
    ...ofOtherType(spec),
    ...families(spec),
    ...affinity(spec),
    ...headless(spec),
  ];
}

const notOne = (field: readonly (string | number)[], got: unknown, allowed: readonly string[]): readonly Finding[] =>
  got === undefined || allowed.includes(got as string)
    ? none
    : mistake(
        'service-value',
        at.at(...field),
        `"${shown(got)}" is not supported`,
        typeof got === 'string' ? nearest(got, allowed) : 'use one of the allowed values',
        { value: got, allowed, type: 'FieldValueNotSupported' },
      );

function values(spec: Json): readonly Finding[] {
  const protocols = listAt(spec, 'ports').flatMap(({ protocol, appProtocol }, i) => [
    ...notOne(['ports', i, 'protocol'], protocol, PROTOCOLS),
    ...(typeof appProtocol !== 'string' || isQualifiedName(appProtocol)
      ? none
      : mistake(
          'service-value',
          at.at('ports', i, 'appProtocol'),
          `"${appProtocol}" is not a valid application protocol`,
          'write a registered name such as http, or a name with a domain such as kubernetes.io/h2c',
          { value: appProtocol },
        )),
  ]);
  return [...choices.flatMap(([field, allowed]) => notOne([field], spec[field], allowed)), ...protocols];
}

/** Networks whose addresses belong to a machine or a link: Kubernetes does not route them. */
const SPECIAL = ['127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/24', '0.0.0.0/32', '::1/128', '::/128', 'fe80::/10'];

function addresses(spec: Json): readonly Finding[] {
  const { clusterIP, externalIPs } = spec;
  const own =
    typeof clusterIP !== 'string' || ['', 'None'].includes(clusterIP) || isIP(clusterIP) !== 0
      ? none
      : mistake(
          'service-address',
          at.at('clusterIP'),
          `"${clusterIP}" is not an IP address`,
          "write an address of the cluster's Service network, or leave it out",
          { value: clusterIP },
        );
  if (!Array.isArray(externalIPs)) return own;
  const external = (externalIPs as unknown[]).flatMap((got, i) => {
    const text = shown(got);
    const isAddress = isIP(text) !== 0;
    if (isAddress && !SPECIAL.some((network) => isInCidr(text, network))) return [];
    const cause = isAddress ? `${text} is an address that is not routed to nodes` : `"${text}" is not an IP address`;
    return mistake('service-address', at.at('externalIPs', i), cause, 'write an address such as 203.0.113.10', {
      value: got,
    });
  });
  return [...own, ...external];
}

/** Fields that only a Service of another type may have. */
const ofBalancer = ['loadBalancerSourceRanges', 'loadBalancerClass', 'allocateLoadBalancerNodePorts'] as const;

function ofOtherType(spec: Json): readonly Finding[] {
  const type = textAt(spec, 'type') ?? 'ClusterIP';
  if (type === 'ExternalName') return none;
  const isHeadless = spec.clusterIP === 'None';
  const forbidden = (field: string, types: string): Finding[] => {
    const cause = `a Service of type ${type} has no ${field}: it belongs to ${types}`;
    const remedy = `choose the type ${types} (VmServiceType), or leave it out`;
    return mistake('service-type', at.at(field), cause, remedy, { value: spec[field], type: 'FieldValueForbidden' });
  };
  const isOutside = type === 'NodePort' || type === 'LoadBalancer' || isSet(spec.externalIPs);
  return [
    ...(type === 'LoadBalancer'
      ? none
      : ofBalancer.flatMap((field) =>
          isSet(spec[field]) && !hasOtherText(spec[field]) ? forbidden(field, 'LoadBalancer') : none,
        )),
    ...(spec.externalTrafficPolicy === undefined || isOutside
      ? none
      : forbidden('externalTrafficPolicy', 'NodePort or LoadBalancer')),
    ...(isHeadless && (type === 'NodePort' || type === 'LoadBalancer')
      ? mistake(
          'service-type',
          at.at('clusterIP'),
          `a headless Service has no address, so it cannot have the type ${type}`,
          'choose the type ClusterIP, or leave headless out (clusterIP: None)',
          { value: 'None' },
        )
      : none),
  ];
}

const isSet = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : value !== undefined);

/** Whether a list contains something that is not a network, which is reported as such. */
const hasOtherText = (value: unknown): boolean =>
  Array.isArray(value) && value.some((each) => !readCidr(String(each).trim()));

function families(spec: Json): readonly Finding[] {
  const { ipFamilies: list, ipFamilyPolicy: policy, clusterIP } = spec;
  if (!Array.isArray(list)) return none;
  const wrong = (list as unknown[]).flatMap((got, i) => notOne(['ipFamilies', i], got, FAMILIES));
  if (wrong.length > 0) return wrong;
  const family = (rule: RuleId, index: number, cause: string, remedy: string): Finding[] =>
    mistake(rule, at.at('ipFamilies', index), cause, remedy, { value: list[index] as unknown });
  const [twice] = duplicates(list as string[], (each) => each);
  if (twice) return family('service-family', twice.index, `${twice.key} is listed twice`, 'list each family once');
  if (list.length > 1 && policy === 'SingleStack') {
    const remedy = 'keep one family, or use IpFamilyPolicy.PREFER_DUAL_STACK (PreferDualStack)';
    return family('service-family', 1, 'ipFamilyPolicy SingleStack permits one family only', remedy);
  }
  const version = typeof clusterIP === 'string' ? isIP(clusterIP) : 0;
  if (version === 0 || list.length === 0 || list[0] === `IPv${version}`) return none;
  const cause = `the address ${clusterIP as string} is an IPv${version} address, and the first family is ${list[0] as string}`;
  return family('service-family', 0, cause, `list IPv${version} first, or leave one of the two out`);
}

const LONGEST_AFFINITY = 86_400;

function affinity(spec: Json): readonly Finding[] {
  const seconds = read(spec, 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds');
  if (seconds === undefined) return none;
  const field = at.at('sessionAffinityConfig', 'clientIP', 'timeoutSeconds');
  if (spec.sessionAffinity !== 'ClientIP') {
    const cause = 'a timeout requires sessionAffinity ClientIP';
    const remedy = 'set sessionAffinity to ClientIP (SessionAffinity.CLIENT_IP), or leave the timeout out';
    return mistake('service-affinity', field, cause, remedy, { value: seconds });
  }
  if (typeof seconds === 'number' && seconds >= 1 && seconds <= LONGEST_AFFINITY) return none;
  const cause = `${shown(seconds)} seconds is not a valid timeout`;
  return mistake('service-affinity', field, cause, 'use 1 second to 1 day', { value: seconds });
}

/** Clients of a headless Service connect to the addresses of its Pods: nothing translates the ports. */
function headless(spec: Json): readonly Finding[] {
  if (spec.clusterIP !== 'None') return none;
  return listAt(spec, 'ports').flatMap(({ port, targetPort }, i) => {
    if (typeof targetPort !== 'number' || targetPort === port) return [];
    const cause = `a headless Service does not translate ports: clients reach port ${shown(port)} of the guest, not ${targetPort}`;
    const remedy = `leave targetPort out, or use the port ${targetPort}`;
    return mistake('service-headless', at.at('ports', i, 'targetPort'), cause, remedy, { value: targetPort });
  });
}
