import { ApiObject, Chart, Duration } from 'cdk8s';
import {
  IngressPathType,
  IpFamily,
  IpFamilyPolicy,
  IServiceTarget,
  SessionAffinity,
  TrafficPolicy,
  VmIngress,
  VmPort,
  VmProtocol,
  VmService,
  VmServiceProps,
  VmServiceType,
} from '../../../../src';
import { mistakeOf, synthMistake, testChart } from '../fixtures';

const db: IServiceTarget = { name: 'db' };
const pool: IServiceTarget = { name: 'web', podLabels: { app: 'web', tier: 'front' } };

const specOf = ({ apiObject }: { apiObject: ApiObject }): Record<string, unknown> => apiObject.toJson().spec;
const service = (props: Partial<VmServiceProps> = {}, chart = testChart()): VmService =>
  new VmService(chart, 'svc', { target: db, ports: [VmPort.SSH], ...props });

describe('a Service', () => {
  test('leads to a VM by its name', () => {
    expect(service().apiObject.toJson()).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web-svc' },
      spec: {
        type: 'ClusterIP',
        selector: { 'vm.kubevirt.io/name': 'db' },
        ports: [{ name: 'ssh', port: 22, targetPort: 22, protocol: 'TCP' }],
      },
    });
    expect(service().host).toBe('web-svc');
  });

  test('leads to all guests of a pool by their labels', () => {
    expect(specOf(service({ target: pool })).selector).toEqual({ app: 'web', tier: 'front' });
  });

  test('is in the namespace of its target by default', () => {
    const target = { name: 'db', metadata: { namespace: 'prod' } };
    expect(service({ target }).metadata.namespace).toBe('prod');
    expect(service({ target, metadata: { namespace: 'test' } }).metadata.namespace).toBe('test');
    expect(service().metadata.namespace).toBeUndefined();
  });

  test('says everything that Kubernetes knows', () => {
    const spec = specOf(
      service({
        ports: [
          VmPort.tcp(443, { name: 'web', targetPort: 8443, nodePort: 30443, appProtocol: 'https' }),
          VmPort.of(VmProtocol.of('SCTP'), 3868, { name: 'diameter' }),
        ],
        serviceType: VmServiceType.LOAD_BALANCER,
        clusterIp: '10.96.0.50',
        publishNotReady: true,
        externalTrafficPolicy: TrafficPolicy.LOCAL,
        internalTrafficPolicy: TrafficPolicy.CLUSTER,
        sessionAffinity: SessionAffinity.CLIENT_IP,
        sessionTimeout: Duration.minutes(10),
        loadBalancerClass: 'example.com/internal',
        loadBalancerSourceRanges: ['203.0.113.0/24'],
        allocateLoadBalancerNodePorts: false,
        externalIps: ['198.51.100.7'],
        ipFamilies: [IpFamily.IPV6, IpFamily.IPV4],
        ipFamilyPolicy: IpFamilyPolicy.REQUIRE_DUAL_STACK,
      }),
    );
    expect(spec).toEqual({
      type: 'LoadBalancer',
      clusterIP: '10.96.0.50',
      selector: { 'vm.kubevirt.io/name': 'db' },
      ports: [
        { name: 'web', port: 443, targetPort: 8443, protocol: 'TCP', nodePort: 30443, appProtocol: 'https' },
        { name: 'diameter', port: 3868, targetPort: 3868, protocol: 'SCTP' },
      ],
      publishNotReadyAddresses: true,
      externalTrafficPolicy: 'Local',
      internalTrafficPolicy: 'Cluster',
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 600 } },
      loadBalancerClass: 'example.com/internal',
      loadBalancerSourceRanges: ['203.0.113.0/24'],
      allocateLoadBalancerNodePorts: false,
      externalIPs: ['198.51.100.7'],
      ipFamilies: ['IPv6', 'IPv4'],
      ipFamilyPolicy: 'RequireDualStack',
    });
  });

  test('without an address of its own leads to the guests themselves', () => {
    expect(specOf(service({ headless: true })).clusterIP).toBe('None');
  });

  test('opens further ports, and its list cannot be changed from outside', () => {
    const one = service();
    one.addPort(VmPort.HTTP);
    one.ports.push(VmPort.HTTPS);
    expect(one.ports.map(({ name }) => name)).toEqual(['ssh', 'http']);
    expect((specOf(one).ports as object[]).length).toBe(2);
  });

  test.each<[string, VmPort, string]>([
    [
      'an invalid port number',
      VmPort.tcp(0),
      'ports[0].port (spec.ports[0].port): 0 is not a valid port\n  use 1 to 65535 [port-range]',
    ],
    ['half a port', VmPort.tcp(80.5), '80.5 is not a valid port'],
    [
      'an invalid target port',
      VmPort.tcp(80, { targetPort: 70_000 }),
      'ports[0].targetPort (spec.ports[0].targetPort): 70000',
    ],
    [
      'an invalid node port',
      VmPort.tcp(80, { nodePort: -1 }),
      'ports[0].nodePort (spec.ports[0].nodePort): -1 is not a valid port',
    ],
    ['an invalid name', VmPort.tcp(80, { name: 'Web_Server' }), '"Web_Server" is not a valid port name'],
  ])('with %s is refused at once', (_, port, want) => {
    expect(mistakeOf(() => service({ ports: [port] }))).toContain(want);
    expect(mistakeOf(() => service().addPort(port))).toContain(want.replaceAll('ports[0]', 'ports[1]'));
  });

  test.each<[string, VmPort[], string]>([
    [
      'no port',
      [],
      'ports (spec.ports): a Service needs at least one port\n  name a port, for example VmPort.SSH [service-ports]',
    ],
    ['a name twice', [VmPort.SSH, VmPort.tcp(23, { name: 'ssh' })], 'Duplicate name of the port: ssh'],
    ['a port twice', [VmPort.SSH, VmPort.tcp(22, { name: 'again' })], 'the Service has TCP 22 already'],
  ])('with %s is refused at synth', (_, ports, want) => {
    const chart = testChart();
    service({ ports }, chart);
    expect(synthMistake(chart)).toContain(want);
  });
});

describe('an Ingress', () => {
  const ingressOf = (chart: Chart): Record<string, unknown> => specOf(chart.node.findChild('in') as VmIngress);
  const backend = (name: string, number = 80): object => ({ service: { name, port: { number } } });

  test('leads by host and path to several guests, each behind one Service', () => {
    const chart = testChart();
    const ingress = new VmIngress(chart, 'in', { className: 'nginx' });
    const tls = { name: 'cert' };
    ingress.addTarget(db, { host: 'a.example', tls });
    ingress.addTarget(pool, {
      host: 'a.example',
      path: '/api',
      pathType: IngressPathType.EXACT,
      tls,
      port: VmPort.tcp(8080),
    });
    ingress.addTarget(db, { host: 'b.example', port: VmPort.tcp(9000), tls: { name: 'other' } });
    ingress.addTarget(db, { path: '/plain' });
    ingress.addService({ name: 'existing' }, { host: 'b.example', path: '/old', port: 81 });
    expect(ingressOf(chart)).toEqual({
      ingressClassName: 'nginx',
      rules: [
        {
          host: 'a.example',
          http: {
            paths: [
              { path: '/', pathType: 'Prefix', backend: backend('web-in-db') },
              { path: '/api', pathType: 'Exact', backend: backend('web-in-web', 8080) },
            ],
          },
        },
        {
          host: 'b.example',
          http: {
            paths: [
              { path: '/', pathType: 'Prefix', backend: backend('web-in-db', 9000) },
              { path: '/old', pathType: 'Prefix', backend: backend('existing', 81) },
            ],
          },
        },
        { http: { paths: [{ path: '/plain', pathType: 'Prefix', backend: backend('web-in-db') }] } },
      ],
      tls: [
        { hosts: ['a.example'], secretName: 'cert' },
        { hosts: ['b.example'], secretName: 'other' },
      ],
    });
    expect(
      ingress.node.children
        .filter((child) => child instanceof VmService)
        .map(({ ports }) => ports.map(({ port }) => port)),
    ).toEqual([[80, 9000], [8080]]);
    expect(synthMistake(chart)).toBe('nothing was thrown');
  });

  test('knows a target by its Pods, not by its name', () => {
    const ingress = new VmIngress(testChart(), 'in');
    const first = ingress.addTarget({ name: 'db' }, { path: '/a' });
    expect(ingress.addTarget({ name: 'db' }, { path: '/b' })).toBe(first);
    const other = ingress.addTarget({ name: 'db', podLabels: { app: 'db' } }, { path: '/c' });
    expect([first.name, other.name]).toEqual(['web-in-db', 'web-in-db-2']);
  });

  test('over one VM is in its namespace, and so is its Service', () => {
    const chart = testChart();
    const target = { name: 'db', metadata: { namespace: 'prod' } };
    const ingress = VmIngress._exposing(chart, 'in', target, {
      host: 'a.example',
      className: 'nginx',
      metadata: { labels: { a: 'b' } },
    });
    expect(chart.toJson().map(({ metadata }: ApiObject) => metadata)).toEqual([
      { name: 'web-in', namespace: 'prod', labels: { a: 'b' } },
      { name: 'web-in-db', namespace: 'prod' },
    ]);
    expect(specOf(ingress)).toMatchObject({ ingressClassName: 'nginx', rules: [{ host: 'a.example' }] });
  });

  test.each<[string, object, string]>([
    ['an invalid host', { host: 'A_b' }, '"A_b" is not a valid host name\n  write it like shop.example [ingress-host]'],
    ['an invalid path', { path: 'api' }, '"api" is not a path\n  begin it with / [ingress-path]'],
  ])('to %s is refused at once', (_, options, want) => {
    expect(mistakeOf(() => new VmIngress(testChart(), 'in').addTarget(db, options))).toContain(want);
  });

  test.each<[string, (ingress: VmIngress) => void, string]>([
    ['nobody', () => undefined, 'spec.rules: an Ingress needs a rule or a default'],
    [
      'two guests by one path',
      (ingress) => [db, pool].forEach((target) => ingress.addTarget(target, { host: 'a.example' })),
      'spec.rules[0].http.paths[1].path: spec.rules[0].http.paths[0] has this path already',
    ],
    [
      'one port of a Service that leads to two of the guest',
      (ingress) => {
        ingress.addTarget(db, { path: '/a', port: VmPort.tcp(80, { name: 'a', targetPort: 8080 }) });
        ingress.addTarget(db, { path: '/b', port: VmPort.tcp(80, { name: 'b', targetPort: 9090 }) });
      },
      '[web/in/db] ports[1].port (spec.ports[1].port): the Service has TCP 80 already',
    ],
  ])('to %s is refused at synth', (_, add, want) => {
    const chart = testChart();
    add(new VmIngress(chart, 'in'));
    expect(synthMistake(chart)).toContain(want);
  });

  test.each<[string, (ingress: VmIngress) => unknown, string]>([
    [
      'a VM in place of a Service',
      (ingress) => ingress.addService({ name: 'db', kind: 'VirtualMachine' } as { name: string }),
      'VmIngress.addService: "db" is a VirtualMachine, not a Service\n  give it a Service [object-kind]',
    ],
    [
      'a ConfigMap in place of a Secret',
      (ingress) => ingress.addTarget(db, { tls: { name: 'cert', kind: 'ConfigMap' } as { name: string } }),
      'VmIngress: tls: "cert" is a ConfigMap, not a Secret',
    ],
  ])('takes no %s', (_, add, want) => expect(mistakeOf(() => add(new VmIngress(testChart(), 'in')))).toContain(want));

  test('takes any host below a domain, and any path where its class decides', () => {
    const chart = testChart();
    const options = { host: '*.shop.example', path: 'x', pathType: IngressPathType.IMPLEMENTATION_SPECIFIC };
    new VmIngress(chart, 'in').addTarget(db, options);
    expect(synthMistake(chart)).toBe('nothing was thrown');
  });
});
