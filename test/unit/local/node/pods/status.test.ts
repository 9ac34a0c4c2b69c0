import type { ContainerKind, ContainerView } from '../../../../../src/local/node/pods/decide';
import { podStatus } from '../../../../../src/local/node/pods/status';
import type { StatusInput } from '../../../../../src/local/node/pods/status';

const view = (name: string, kind: ContainerKind, more: Partial<ContainerView> = {}): ContainerView => ({
  spec: { name, image: 'i' },
  kind,
  started: true,
  ready: true,
  busy: false,
  record: {
    id: `id-${name}`,
    attempt: 0,
    image: 'i',
    imageId: 'i@sha256:1',
    startedAt: '2026-01-01T00:00:00.5Z',
  } as ContainerView['record'],
  ...more,
});

const statusOf = (views: ContainerView[], more: Partial<StatusInput> = {}) =>
  podStatus({
    pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [] } },
    views,
    previous: new Map(),
    waiting: new Map(),
    phase: 'Running',
    podIPs: ['10.0.0.1'],
    hostIPs: ['10.0.0.254'],
    sandboxReady: true,
    now: '2026-01-01T00:00:01Z',
    ...more,
  });

test('a container reports its mounts with the effective read-only mode', () => {
  const mount = { name: 'v', mountPath: '/v' };
  const volumeMounts = [
    mount,
    { ...mount, readOnly: true },
    { ...mount, readOnly: true, recursiveReadOnly: 'IfPossible' as const },
  ];
  const status = statusOf([view('main', 'main', { spec: { name: 'main', volumeMounts } })]);
  expect(status.containerStatuses?.[0]?.volumeMounts).toEqual([
    mount,
    { ...mount, readOnly: true, recursiveReadOnly: 'Disabled' },
    { ...mount, readOnly: true, recursiveReadOnly: 'Enabled' },
  ]);
});

test('an ephemeral container has a status of its own and does not change the conditions of its Pod', () => {
  const status = statusOf([view('main', 'main'), view('debug', 'ephemeral', { ready: false })]);
  expect(status.ephemeralContainerStatuses).toEqual([
    {
      name: 'debug',
      state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
      lastState: {},
      ready: false,
      restartCount: 0,
      image: 'i',
      imageID: 'i@sha256:1',
      containerID: 'crun://id-debug',
    },
  ]);
  expect(status.containerStatuses?.map(({ name }) => name)).toEqual(['main']);
  expect(status.initContainerStatuses).toBeUndefined();
  expect(status.conditions?.every(({ status: on }) => on === 'True')).toBe(true);
});
