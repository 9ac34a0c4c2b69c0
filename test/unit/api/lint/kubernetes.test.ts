import type { Loose } from '../fixtures';
import { alone, object } from './worlds';

const service = (port: Loose, name = 'web', spec: Loose = {}): Loose =>
  object('v1', 'Service', name, { ports: [{ port: 80, ...port }], ...spec });
const job = (schedule: string): Loose => object('batch/v1', 'CronJob', 'nightly', { schedule });
const attachment = (config: Loose): Loose =>
  object('k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', 'lan', {
    config: JSON.stringify({ type: 'bridge', ...config }),
  });
const hostLocal = (subnet: string): Loose => attachment({ ipam: { type: 'host-local', ranges: [[{ subnet }]] } });
const ipam = (range: Loose): Loose => attachment({ ipam: { type: 'host-local', ranges: [[range]] } });
const whereabouts = (range: string): Loose => attachment({ ipam: { type: 'whereabouts', range } });

const ingress = (spec: Loose): Loose => object('networking.k8s.io/v1', 'Ingress', 'web', spec);
const routes = (...paths: Loose[]): Loose => ingress({ rules: [{ host: 'shop.example', http: { paths } }] });
const path = (text: string, pathType = 'Prefix'): Loose => ({ path: text, pathType, backend: {} });
const scaler = (spec: Loose): Loose =>
  object('autoscaling/v2', 'HorizontalPodAutoscaler', 'load', {
    scaleTargetRef: { apiVersion: 'pool.kubevirt.io/v1beta1', kind: 'VirtualMachinePool', name: 'web' },
    maxReplicas: 5,
    metrics: [metric({ averageUtilization: 60 })],
    ...spec,
  });
const metric = (target: Loose): Loose => ({ type: 'Resource', resource: { name: 'cpu', target } });
const window = (seconds: number): Loose => ({ behavior: { scaleDown: { stabilizationWindowSeconds: seconds } } });
const target = 'spec.metrics[0].resource.target';

test.each<[string, Loose, string[]]>([
  ['accepts an Ingress with a default', ingress({ defaultBackend: {} }), []],
  ['reports an Ingress without a target', ingress({}), ['ingress-rules spec.rules']],
  ['accepts one path of two types', routes(path('/'), path('/', 'Exact')), []],
  [
    'reports a path that is there twice',
    routes(path('/'), path('/shop'), path('/')),
    ['ingress-path-unique spec.rules[0].http.paths[2].path'],
  ],
  ['reports a path without its slash', routes(path('shop')), ['ingress-path spec.rules[0].http.paths[0].path']],
  ['reports a host that is not valid', ingress({ rules: [{ host: 'a_b' }] }), ['ingress-host spec.rules[0].host']],
  ['accepts an autoscaler', scaler({ minReplicas: 5 }), []],
  ['reports a minimum of none', scaler({ minReplicas: 0 }), ['autoscaler-range spec.minReplicas']],
  ['reports half a guest', scaler({ maxReplicas: 1.5 }), ['autoscaler-range spec.maxReplicas']],
  ['reports a maximum below the minimum', scaler({ minReplicas: 6 }), ['autoscaler-range spec.maxReplicas']],
  ['reports an autoscaler of guests without a metric', scaler({ metrics: [] }), ['autoscaler-metric spec.metrics']],
  [
    'accepts an autoscaler of Pods without a metric',
    scaler({ metrics: [], scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } }),
    [],
  ],
  [
    'reports a load of none',
    scaler({ metrics: [metric({ averageUtilization: 0 })] }),
    [`autoscaler-load ${target}.averageUtilization`],
  ],
  [
    'reports an amount of none',
    scaler({ metrics: [metric({ averageValue: '0' })] }),
    [`autoscaler-load ${target}.averageValue`],
  ],
  ['accepts an hour of stabilization', scaler(window(3600)), []],
  [
    'reports a second more',
    scaler(window(3601)),
    ['autoscaler-stabilization spec.behavior.scaleDown.stabilizationWindowSeconds'],
  ],
  ['accepts the first port of the nodes', service({ nodePort: 30000 }, 'web', { type: 'NodePort' }), []],
  [
    'reports the port before it',
    service({ nodePort: 29999 }, 'web', { type: 'NodePort' }),
    ['node-port-range spec.ports[0].nodePort'],
  ],
  ['accepts the last port of the nodes', service({ nodePort: 32767 }, 'web', { type: 'NodePort' }), []],
  [
    'reports the port behind it',
    service({ nodePort: 32768 }, 'web', { type: 'NodePort' }),
    ['node-port-range spec.ports[0].nodePort'],
  ],
  [
    'reports a port of nodes that is not valid',
    service({ nodePort: 70000 }, 'web', { type: 'NodePort' }),
    ['port-range spec.ports[0].nodePort'],
  ],
  ['accepts a name with digits', service({}, 'web-2'), []],
  ['reports a name that begins with a digit', service({}, '2-web'), ['service-name metadata.name']],
  ['reports a name with a dot', service({}, 'web.shop'), ['service-name metadata.name']],
  [
    'reports a source range without prefix',
    service({}, 'web', { loadBalancerSourceRanges: ['192.0.2.0/24', '192.0.2.1'] }),
    ['network-cidr spec.loadBalancerSourceRanges[1]'],
  ],
  ['accepts the last day of February', job('0 3 29 2 *'), []],
  ['reports the 30th of February', job('0 3 30 2 *'), ['cron-schedule spec.schedule']],
  ['reports the 31st of June', job('0 3 31 jun *'), ['cron-schedule spec.schedule']],
  ['accepts the 31st or a Monday', job('0 3 31 6 1'), []],
  ['accepts a subnet', hostLocal('10.1.0.0/16'), []],
  ['reports a subnet without prefix', hostLocal('10.1.0.0'), ['network-cidr spec.config']],
  ['reports a prefix that is too long', hostLocal('10.1.0.0/33'), ['network-cidr spec.config']],
  [
    'reports a port of the nodes for a Service without one',
    service({ nodePort: 30000 }),
    ['node-port-type spec.ports[0].nodePort'],
  ],
  ['accepts a gateway of the network', ipam({ subnet: '10.1.0.0/24', gateway: '10.1.0.1' }), []],
  [
    'reports a gateway of another network',
    ipam({ subnet: '10.1.0.0/24', gateway: '10.2.0.1' }),
    ['attachment-address spec.config'],
  ],
  [
    'reports a range that ends before it begins',
    ipam({ subnet: '10.1.0.0/24', rangeStart: '10.1.0.100', rangeEnd: '10.1.0.20' }),
    ['attachment-address spec.config'],
  ],
  ['accepts the longest name of a bridge', attachment({ bridge: 'br-123456789012' }), []],
  ['reports a longer name of a bridge', attachment({ bridge: 'br-1234567890123' }), ['attachment-bridge spec.config']],
  [
    'reports a configuration that is not text',
    object('k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', 'lan', { config: { type: 'bridge' } }),
    ['attachment-config spec.config'],
  ],
  ['accepts a range of whereabouts', whereabouts('10.1.0.10-10.1.0.20/24'), []],
  ['reports a range of whereabouts', whereabouts('10.1.0.10-20'), ['network-cidr spec.config']],
])('%s', (_, made, want) => expect(alone(made)).toEqual(want));
