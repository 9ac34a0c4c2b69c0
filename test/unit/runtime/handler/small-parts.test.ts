import { statSync } from 'node:fs';
import { deviceOf, parseMountInfo } from '../../../../src/runtime/handler/container-disk/mount-info';
import { plannedDisks } from '../../../../src/runtime/handler/container-disk/plan';
import type { Pod } from '../../../../src/runtime/handler/kube-types';
import { nodePatch, parseMachines } from '../../../../src/runtime/handler/node/labels';
import { isInContainer } from '../../../../src/runtime/handler/paths/processes';
import { CALLER_COMMON_NAME, refuseCaller } from '../../../../src/runtime/handler/server/identity';
import { route } from '../../../../src/runtime/handler/server/routes';
import { at, NOW, pod, vmi } from './fixtures';

describe('which request', () => {
  const base = '/v1/namespaces/ns/virtualmachineinstances/web';
  test.each([
    ['GET', `${base}/console`, true, { kind: 'stream', stream: 'console' }],
    ['GET', `${base}/vnc?preserveSession=false`, true, { kind: 'stream', stream: 'vnc' }],
    ['GET', `${base}/portforward/22/tcp`, true, { kind: 'portForward', port: 22, protocol: 'tcp' }],
    ['GET', `${base}/portforward/53/udp`, true, { kind: 'portForward', port: 53, protocol: 'udp' }],
    ['GET', `${base}/portforward/80`, true, { kind: 'portForward', port: 80, protocol: 'tcp' }],
    ['PUT', `${base}/softreboot`, false, { kind: 'action', action: 'softReboot' }],
    ['GET', `${base}/guestosinfo`, false, { kind: 'info', info: 'guestInfo' }],
  ])('%s %s', (method, url, upgrade, request) => {
    expect(route(method, url, upgrade)).toEqual({ namespace: 'ns', name: 'web', request });
  });
  test.each([
    ['GET', `${base}/pause`, false, 405],
    ['PUT', `${base}/console`, false, 405],
    ['GET', `${base}/console`, false, 405],
    ['GET', `${base}/guestosinfo`, true, 405],
    ['GET', `${base}/portforward/0/tcp`, true, 404],
    ['GET', `${base}/portforward/65536/tcp`, true, 404],
    ['GET', `${base}/portforward/22/sctp`, true, 404],
    ['GET', `${base}/constructor`, false, 404],
    ['GET', `${base}/`, false, 404],
    ['GET', '/v1/namespaces//virtualmachineinstances/web/console', true, 404],
    ['GET', '/v1/namespaces/%zz/virtualmachineinstances/web/console', true, 404],
    ['GET', '/', false, 404],
  ])('%s %s is refused', (method, url, upgrade, code) => expect(route(method, url, upgrade)).toMatchObject({ code }));
});

test('only virt-api’s certificate is let in', () => {
  const of = (CN: unknown) => refuseCaller({ subject: { CN } } as never);
  expect(of(CALLER_COMMON_NAME)).toBeUndefined();
  expect(of('kubevirt.io:system:node:virt-handler')).toContain('may not call');
  expect(of([CALLER_COMMON_NAME, 'x'])).toContain('one common name');
  expect(refuseCaller(undefined)).toContain('required');
  expect(refuseCaller({} as never)).toContain('required');
});

describe('processes of a container', () => {
  const id = '0123456789abcdef'.repeat(4);
  test.each([
    ['our engine', `4:memory:/virt8s-a/pod11/${id}\n0::/`, true],
    ['cgroup v2', `0::/kubepods.slice/kubepods-pod11.slice/cri-containerd-${id}.scope`, true],
    ['CRI-O', `0::/kubepods.slice/crio-${id}.scope`, true],
    ['below it', `0::/virt8s-a/pod11/${id}/init`, true],
    ['another one', `0::/virt8s-a/pod11/${'f'.repeat(64)}`, false],
    ['one whose id contains it', `0::/virt8s-a/pod11/x${id}`, false],
    ['CRI-O’s monitor', `0::/kubepods.slice/crio-conmon-${id}`, false],
  ])('%s', (_, cgroup, want) => expect(isInContainer(cgroup, id)).toBe(want));
});

describe('container disks to mount', () => {
  const sideContainer = (state: object): Pod => {
    const made = pod();
    made.spec.volumes = [];
    made.status!.containerStatuses!.push({ name: 'volumeroot', containerID: 'crun://fedcba9876543210', state });
    return made;
  };
  test('none of those that the kubelet mounts as image volumes', () => expect(plannedDisks(vmi(), pod())).toEqual([]));
  test('those of side containers, by their place in the spec', () => {
    const made = vmi();
    made.spec.volumes!.unshift({ name: 'empty', emptyDisk: { capacity: '1Gi' } });
    expect(plannedDisks(made, sideContainer({ running: {} }))).toEqual([
      { volume: 'root', target: 'disk_1.img', path: undefined, containerId: 'fedcba9876543210' },
    ]);
  });
  test('not before the holder runs', () => {
    expect(plannedDisks(vmi(), sideContainer({ waiting: {} }))[0].containerId).toBeUndefined();
  });
  test('a path that leaves the image is refused', () => {
    const made = vmi();
    made.spec.volumes = [{ name: 'root', containerDisk: { image: 'x', path: '/disk/../etc/shadow' } }];
    expect(() => plannedDisks(made, sideContainer({ running: {} }))).toThrow('contains ".."');
  });
});

test('mountinfo with escapes', () => {
  const line = '36 35 0:98 / /mnt/a\\040b rw,noatime master:1 - overlay overlay rw';
  expect(parseMountInfo(`${line}\n`)).toEqual([{ device: '0:98', root: '/', mountPoint: '/mnt/a b' }]);
});

test('a device number is written as mountinfo writes it', () => {
  expect(deviceOf(statSync('/proc').dev)).toMatch(/^0:\d+$/);
  expect(deviceOf(0x801)).toBe('8:1');
  expect(deviceOf(0x12345678)).toBe('1110:74616');
});

test('machine types that guests may ask for', () => {
  const help = [
    'Supported machines are:',
    'microvm              microvm (i386)',
    'pc                   Standard PC (i440FX + PIIX, 1996) (alias of pc-i440fx-10.0)',
    'pc-i440fx-10.0       Standard PC',
    'q35                  Standard PC (Q35 + ICH9, 2009) (alias of pc-q35-10.0)',
    'pc-q35-10.0          Standard PC',
    'none                 empty machine',
  ].join('\n');
  expect(parseMachines(help)).toEqual(['pc', 'pc-i440fx-10.0', 'q35', 'pc-q35-10.0']);
});

test('a node whose KVM works again loses the cause, and old machine types go', () => {
  const before = { labels: { 'machine-type.node.kubevirt.io/pc-q35-2.0': 'true', other: 'x' } };
  expect(nodePatch({ kvm: { usable: true }, endpoint: 'h:1', machines: ['q35'] }, before, true, NOW)).toEqual({
    metadata: {
      labels: {
        'kubevirt.io/schedulable': 'true',
        'machine-type.node.kubevirt.io/pc-q35-2.0': null,
        'machine-type.node.kubevirt.io/q35': 'true',
      },
      annotations: {
        'kubevirt.io/heartbeat': at(0),
        'virt8s.io/handler-endpoint': 'h:1',
        'virt8s.io/kvm-unusable': null,
      },
    },
  });
});
