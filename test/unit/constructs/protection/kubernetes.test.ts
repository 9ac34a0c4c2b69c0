import { Chart, Duration, Testing } from 'cdk8s';
import type { KubeObject } from '../../../../src/api';
import {
  GuestDisruptionBudget,
  IpFamily,
  IpFamilyPolicy,
  SessionAffinity,
  SnapshotSchedule,
  TrafficPolicy,
  VmIngress,
  VmPort,
  VmService,
  VmServiceType,
} from '../../../../src';
import { problemsOf } from '../platform/kubernetes-schema';
import { testApp } from '../../../support/app';

const target = { name: 'web', podLabels: { app: 'web' } };

test("what we make of Kubernetes' own kinds has its types, and no unknown field", () => {
  const chart = new Chart(testApp(), 'web', { namespace: 'prod' });
  new VmService(chart, 'service', {
    target,
    ports: [VmPort.tcp(443, { nodePort: 30443, appProtocol: 'https' })],
    serviceType: VmServiceType.LOAD_BALANCER,
    clusterIp: '10.96.0.50',
    publishNotReady: true,
    externalTrafficPolicy: TrafficPolicy.LOCAL,
    internalTrafficPolicy: TrafficPolicy.LOCAL,
    sessionAffinity: SessionAffinity.CLIENT_IP,
    sessionTimeout: Duration.minutes(1),
    loadBalancerClass: 'example.com/internal',
    loadBalancerSourceRanges: ['203.0.113.0/24'],
    allocateLoadBalancerNodePorts: false,
    externalIps: ['198.51.100.7'],
    ipFamilies: [IpFamily.IPV4],
    ipFamilyPolicy: IpFamilyPolicy.SINGLE_STACK,
  });
  new VmIngress(chart, 'ingress', { className: 'nginx' }).addTarget(target, {
    host: 'a.example',
    tls: { name: 'cert' },
  });
  new GuestDisruptionBudget(chart, 'budget', { target, minAvailable: 1 });
  new SnapshotSchedule(chart, 'schedule', { source: { name: 'db' }, timeZone: 'Europe/Berlin', suspend: true });
  const objects: KubeObject[] = Testing.synth(chart);
  expect(objects.map(({ kind }) => kind).sort()).toEqual([
    'CronJob',
    'Ingress',
    'PodDisruptionBudget',
    'Role',
    'RoleBinding',
    'Service',
    'Service',
    'ServiceAccount',
  ]);
  expect(objects.map((object) => [object.kind, problemsOf(object)])).toEqual(objects.map(({ kind }) => [kind, []]));
});
