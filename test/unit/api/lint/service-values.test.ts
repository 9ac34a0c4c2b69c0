import type { Loose } from '../fixtures';
import { alone, object } from './worlds';

const service = (spec: Loose, port: Loose = {}): Loose =>
  object('v1', 'Service', 'web', { ports: [{ port: 80, ...port }], ...spec });
const balancer = (spec: Loose): Loose => service({ type: 'LoadBalancer', ...spec });
const affine = (timeoutSeconds: number, sessionAffinity = 'ClientIP'): Loose =>
  service({ sessionAffinity, sessionAffinityConfig: { clientIP: { timeoutSeconds } } });
const timeout = 'service-affinity spec.sessionAffinityConfig.clientIP.timeoutSeconds';

test.each<[string, Loose, string[]]>([
  ['accepts SCTP', service({}, { protocol: 'SCTP' }), []],
  ['reports another protocol', service({}, { protocol: 'HTTP' }), ['service-value spec.ports[0].protocol']],
  ['reports a protocol in lower case', service({}, { protocol: 'tcp' }), ['service-value spec.ports[0].protocol']],
  ['reports an unknown type', service({ type: 'Loadbalancer' }), ['service-value spec.type']],
  ['reports an unknown affinity', service({ sessionAffinity: 'ClientIp' }), ['service-value spec.sessionAffinity']],
  ['accepts an application protocol with a domain', service({}, { appProtocol: 'kubernetes.io/h2c' }), []],
  [
    'reports an application protocol with a space',
    service({}, { appProtocol: 'h2 c' }),
    ['service-value spec.ports[0].appProtocol'],
  ],
  ['accepts an address', service({ clusterIP: '10.96.0.10' }), []],
  ['accepts a headless Service', service({ clusterIP: 'None' }), []],
  ['reports text as an address', service({ clusterIP: '10.96.0.300' }), ['service-address spec.clusterIP']],
  ['accepts an external address', service({ externalIPs: ['203.0.113.10'] }), []],
  [
    'reports loopback and link-local external addresses',
    service({ externalIPs: ['127.0.0.1', '169.254.1.1', 'fe80::1', 'web.example'] }),
    [0, 1, 2, 3].map((i) => `service-address spec.externalIPs[${i}]`),
  ],
  [
    'accepts settings of a load balancer',
    balancer({ allocateLoadBalancerNodePorts: false, loadBalancerClass: 'a.example/b' }),
    [],
  ],
  ...(['allocateLoadBalancerNodePorts', 'loadBalancerClass', 'loadBalancerSourceRanges'] as const).flatMap(
    (field): [string, Loose, string[]][] =>
      ['ClusterIP', 'NodePort'].map((type) => [
        `reports ${field} of type ${type}`,
        service({ type, [field]: field === 'loadBalancerSourceRanges' ? ['192.0.2.0/24'] : false }),
        [`service-type spec.${field}`],
      ]),
  ),
  ['accepts a traffic policy of a node port', service({ type: 'NodePort', externalTrafficPolicy: 'Local' }), []],
  [
    'accepts a traffic policy with external addresses',
    service({ externalIPs: ['203.0.113.10'], externalTrafficPolicy: 'Local' }),
    [],
  ],
  [
    'reports a traffic policy of a Service inside the cluster',
    service({ externalTrafficPolicy: 'Local' }),
    ['service-type spec.externalTrafficPolicy'],
  ],
  ['reports a headless load balancer', balancer({ clusterIP: 'None' }), ['service-type spec.clusterIP']],
  ['accepts ExternalName', service({ type: 'ExternalName', externalName: 'a.example' }), []],
  ['accepts both families', service({ ipFamilies: ['IPv6', 'IPv4'], ipFamilyPolicy: 'RequireDualStack' }), []],
  ['reports a family twice', service({ ipFamilies: ['IPv4', 'IPv4'] }), ['service-family spec.ipFamilies[1]']],
  ['reports an unknown family', service({ ipFamilies: ['ipv4'] }), ['service-value spec.ipFamilies[0]']],
  [
    'reports two families of a single stack',
    service({ ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'SingleStack' }),
    ['service-family spec.ipFamilies[1]'],
  ],
  [
    'reports an address of the other family',
    service({ clusterIP: '10.96.0.10', ipFamilies: ['IPv6'] }),
    ['service-family spec.ipFamilies[0]'],
  ],
  ['accepts an address of the family', service({ clusterIP: 'fd00::1', ipFamilies: ['IPv6'] }), []],
  ['accepts the longest timeout', affine(86_400), []],
  ['reports a longer timeout', affine(86_401), [timeout]],
  ['reports no timeout', affine(0), [timeout]],
  ['reports a timeout without affinity', affine(60, 'None'), [timeout]],
  ['accepts the same port of a headless Service', service({ clusterIP: 'None' }, { targetPort: 80 }), []],
  [
    'reports another port of a headless Service',
    service({ clusterIP: 'None' }, { targetPort: 8080 }),
    ['service-headless spec.ports[0].targetPort'],
  ],
])('%s', (_, made, want) => expect(alone(made)).toEqual(want));
