import { slimPod, troubleOf, type ProgramPod } from '../../../../../src/runtime/operator/install/pods';

type Status = NonNullable<ProgramPod['status']>;
const pod = (status: Status, nodeName?: string): ProgramPod => ({
  ...{ apiVersion: 'v1', kind: 'Pod' },
  metadata: { name: 'virt-api-1' },
  spec: { ...(nodeName ? { nodeName } : {}) },
  status,
});
const waiting = (reason: string, message?: string): Status => ({
  containerStatuses: [{ name: 'virt-api', state: { waiting: { reason, message } } }],
});
const ended = (exitCode: number, message?: string): Status => ({
  containerStatuses: [{ name: 'virt-api', state: { terminated: { exitCode, message } } }],
});
const unscheduled = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'Unschedulable',
  message: '0/3 nodes:\n no memory',
};

describe('the trouble of a Pod', () => {
  test.each<[string, ProgramPod, string | undefined]>([
    ['is nothing before it has a status', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }, undefined],
    ['is nothing while it starts', pod(waiting('ContainerCreating')), undefined],
    ['is nothing while it initializes', pod(waiting('PodInitializing')), undefined],
    ['is nothing while it runs', pod({ containerStatuses: [{ name: 'a', ready: true, state: {} }] }), undefined],
    ['is nothing once it is scheduled', pod({ conditions: [{ ...unscheduled, status: 'True' }] }), undefined],
    ['is nothing after an init container', pod(ended(0)), undefined],
    [
      'is that no node fits',
      pod({ conditions: [unscheduled] }),
      'Pod virt-api-1 is not scheduled: 0/3 nodes: no memory',
    ],
    [
      'is that its image cannot be pulled',
      pod(waiting('ImagePullBackOff', 'not found'), 'n1'),
      'Pod virt-api-1 on node n1: container virt-api: ImagePullBackOff: not found',
    ],
    [
      'is that a Secret is missing',
      pod(waiting('CreateContainerConfigError', 'secret "x" not found')),
      'Pod virt-api-1: container virt-api: CreateContainerConfigError: secret "x" not found',
    ],
    [
      'is the last message of a container that crashes, not how long it waits',
      pod({
        containerStatuses: [
          {
            name: 'virt-api',
            state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } },
            lastState: { terminated: { exitCode: 1, message: 'port in use' } },
          },
        ],
      }),
      'Pod virt-api-1: container virt-api: CrashLoopBackOff: port in use',
    ],
    [
      'is that a container ended',
      pod(ended(137)),
      'Pod virt-api-1: container virt-api ended with code 137: no message',
    ],
    [
      'is that of an init container first',
      pod({
        initContainerStatuses: [{ name: 'init', state: { terminated: { exitCode: 2, message: 'no libvirt' } } }],
        ...waiting('PodInitializing'),
      }),
      'Pod virt-api-1: container init ended with code 2: no libvirt',
    ],
    [
      'is that of the second container',
      pod({ containerStatuses: [{ name: 'a', state: {} }, ...(waiting('ErrImagePull').containerStatuses ?? [])] }),
      'Pod virt-api-1: container virt-api: ErrImagePull: no message',
    ],
  ])('%s', (_, each, want) => expect(troubleOf(each)).toBe(want));

  test('is cut', () => {
    expect(troubleOf(pod(ended(1, 'x'.repeat(200))))).toMatch(/: x{200}$/);
    expect(troubleOf(pod(ended(1, 'x'.repeat(201))))).toMatch(/: x{200}…$/);
  });

  test('is the same after the cache has reduced the Pod', () => {
    for (const status of [waiting('ErrImagePull'), ended(1), { conditions: [unscheduled] }]) {
      expect(troubleOf(slimPod(pod(status, 'n1')))).toBe(troubleOf(pod(status, 'n1')));
    }
  });
});

test('the cache keeps only what is needed', () => {
  const full = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'a',
      namespace: 'n',
      labels: { a: 'b' },
      uid: 'u',
      annotations: { big: 'text' },
      managedFields: [],
    },
    spec: { nodeName: 'n1', containers: [] },
    status: { phase: 'Running', podIP: '10.0.0.1' },
  } as ProgramPod;
  expect(slimPod(full)).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', namespace: 'n', labels: { a: 'b' }, uid: 'u' },
    spec: { nodeName: 'n1' },
    status: { phase: 'Running', conditions: [], containerStatuses: [], initContainerStatuses: [] },
  });
});
