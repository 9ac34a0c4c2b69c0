import { programs } from '../../../../../src/cli/doctor/checks/programs';
import { ago, type Broken, byName, expectRow, podOf, type Row } from '../healthy';

const available = (f: Broken, name: string, count: number): void => {
  byName(f.deployments, name).status = { availableReplicas: count } as never;
};
const without = (f: Broken, name: string): void => {
  f.deployments = f.deployments.filter(({ metadata }: { metadata: { name: string } }) => metadata.name !== name);
};
/** virt-api and the others run as processes of an engine. */
const engine = (f: Broken): void => {
  f.server = 'v1.36.4+virt8s';
  f.deployments = [];
  f.daemonSets = [];
};

test.each<Row>([
  ['programs that run have no problem', () => {}, []],
  ['a cluster without the platform has none of them', (f) => [(f.kubeVirts = []), (f.deployments = [])], []],
  ['a missing operator is installed by manifests', (f) => without(f, 'virt-operator'), ['does not exist = apply']],
  [
    'other programs by the operator',
    (f) => without(f, 'virt-api'),
    ['error Deployment "kubevirt/virt-api": it does not exist = virt-operator creates it'],
  ],
  ['an installation may have no upload proxy', (f) => without(f, 'cdi-uploadproxy'), []],
  [
    'a program without Pods',
    (f) => available(f, 'virt-controller', 0),
    ['error Deployment "kubevirt/virt-controller": 0 of 2 Pods are available = find out why no Pod is created'],
  ],
  [
    'a program that crashes, with its last words',
    (f) => {
      available(f, 'virt-api', 1);
      const pod = podOf('virt-api', { reason: 'CrashLoopBackOff' }) as never as Broken;
      pod.status.containerStatuses[0].lastState = { terminated: { exitCode: 1, message: 'no certificate' } };
      f.platformPods = [pod];
    },
    [
      'warning Deployment "kubevirt/virt-api": 1 of 2 Pods are available: container virt-api waits: CrashLoopBackOff, last end: no certificate',
    ],
  ],
  [
    'a Pod that no node can run',
    (f) => {
      available(f, 'virt-api', 0);
      const conditions = [{ type: 'PodScheduled', status: 'False', message: '0/2 nodes are available' }];
      f.platformPods = [{ ...podOf('virt-api', {}), status: { conditions } }];
    },
    ['it cannot be scheduled: 0/2 nodes are available'],
  ],
  [
    'an image that cannot be pulled is left to the check of images',
    (f) => [available(f, 'virt-api', 0), (f.platformPods = [podOf('virt-api', { reason: 'ErrImagePull' })])],
    [],
  ],
  [
    'a program that was scaled to 0',
    (f) => (byName(f.deployments, 'virt-operator').spec.replicas = 0),
    ['error Deployment "kubevirt/virt-operator": it is scaled to 0'],
  ],
  ['a missing DaemonSet', (f) => (f.daemonSets = []), ['error DaemonSet "kubevirt/virt-handler": it does not exist']],
  [
    'a DaemonSet without nodes',
    (f) => (f.daemonSets[0].status = { desiredNumberScheduled: 0 }),
    ['it selects no node, so no node can run guests'],
  ],
  [
    'a DaemonSet that is not available on every node',
    (f) => (f.daemonSets[0].status.numberAvailable = 1),
    ['warning DaemonSet "kubevirt/virt-handler": it is available on 1 of 2 nodes'],
  ],
  [
    'different versions',
    (f) =>
      (f.daemonSets[0].spec.template.spec.containers[0].image = 'registry.example:5000/virt-handler:v0.9.0@sha256:1'),
    ['warning Programs: they have different versions: virt-operator v1.0.0, virt-api v1.0.0'],
  ],
  [
    'images with digests alone cannot be compared',
    (f) => (f.daemonSets[0].spec.template.spec.containers[0].image = 'registry.example:5000/virt-handler@sha256:1'),
    [],
  ],
  [
    'a leader that does not renew its lease',
    (f) => (f.leases[0].spec.renewTime = ago(2)),
    ['error Lease "kubevirt/virt-controller": no virt-controller has led for 2 minutes'],
  ],
  [
    'no leader at all',
    (f) => (f.leases = [f.leases[0]]),
    ['error Lease "kubevirt/virt-operator": no virt-operator leads'],
  ],
  [
    'a program that does not run is reported once, and not again as a missing leader',
    (f) => [available(f, 'virt-controller', 0), (f.leases[0].spec.renewTime = ago(20))],
    ['0 of 2 Pods are available'],
  ],
  ['leases that cannot be read are not reported', (f) => (f.leases = undefined), []],
  ['processes of an engine need no Deployments', engine, []],
  [
    'they need a leader',
    (f) => [engine(f), (f.leases[0].spec.renewTime = ago(2))],
    ['no virt-controller has led for 2 minutes, so nothing is reconciled = restart the engine'],
  ],
  ['a bare engine without the platform', (f) => [engine(f), (f.kubeVirts = [])], []],
])('%s', (...row) => expectRow(programs, row));
