import { podState } from '../../../../../../src/runtime/controller/storage/population/pod-state';
import type { ContainerStatus, Pod } from '../../../../../../src/runtime/controller/pod';
import { pod } from '../fixtures';

const container = (
  state: ContainerStatus['state'],
  more: Partial<ContainerStatus> = {},
  volumes: Pod['spec']['volumes'] = [],
): Pod => {
  const made = pod({ phase: 'Running', containerStatuses: [{ name: 'importer', state, ...more }] });
  return { ...made, spec: { ...made.spec, volumes } };
};
const failed = (message: string, reason = 'Error') => ({ terminated: { exitCode: 1, reason, message } });
/** Pod whose container waits for an init container. */
const initializing = (status: Omit<ContainerStatus, 'name'>): Pod => {
  const waiting = { name: 'importer', state: { waiting: { reason: 'PodInitializing' } } };
  const init = { name: 'identity', ...status };
  return pod({ phase: 'Pending', initContainerStatuses: [init], containerStatuses: [waiting] });
};
const report = (fields: object): string => JSON.stringify(fields);
const backOff = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } };

describe('podState', () => {
  test.each([
    ['a running importer', container({ running: {} }), { isRunning: true, reason: 'Pod is running' }],
    [
      'an importer that runs again after a failure',
      container({ running: {} }, { lastState: failed(report({ problem: 'ImageTooLarge', message: 'too large' })) }),
      { isRunning: true, reason: 'Pod is running', message: 'the attempt before this one failed: too large' },
    ],
    ['a Pod without a status', pod(undefined), { phase: 'Pending', isRunning: false, reason: 'Pending' }],
    [
      'a Pod that no node can run',
      pod({
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no node' }],
      }),
      { isRunning: false, reason: 'Unschedulable', message: 'no node' },
    ],
    [
      'an image that is not there',
      container({ waiting: { reason: 'ImagePullBackOff', message: 'not found' } }),
      { reason: 'ImagePullBackOff', message: 'not found' },
    ],
    [
      'a Pod whose volumes are not ready',
      container({ waiting: { reason: 'ContainerCreating' } }, {}, [
        { name: 'login', secret: { secretName: 'keys' } },
        { name: 'certificates', configMap: { name: 'ca' } },
      ]),
      {
        reason: 'ContainerCreating',
        message: 'the Pod starts when its volumes are ready; these must exist: Secret "keys", ConfigMap "ca"',
      },
    ],
    [
      'a Pod that starts',
      container({ waiting: { reason: 'ContainerCreating' } }),
      { reason: 'ContainerCreating', message: '' },
    ],
    [
      'a failure with its cause and remedy',
      container(failed(report({ problem: 'SourceRejected', message: 'HTTP 404', remedy: 'check the URL' }))),
      { isRunning: false, reason: 'SourceRejected', message: 'HTTP 404; check the URL' },
    ],
    [
      'the last failure while the kubelet waits',
      container(backOff, {
        restartCount: 2,
        lastState: failed(report({ problem: 'SourceRejected', message: 'HTTP 404' })),
      }),
      { restarts: 2, reason: 'SourceRejected', message: 'HTTP 404' },
    ],
    ['a report that is not JSON', container(failed('killed')), { reason: 'Error', message: 'killed' }],
    ['an empty report', container(failed('')), { reason: 'Error', message: 'the importer ended with exit code 1' }],
    ['a report without text', container(failed('{"message":7}')), { message: 'the importer ended with exit code 1' }],
    ['a report that is null', container(failed('null')), { message: 'the importer ended with exit code 1' }],
    ['a cause that is not a word', container(failed(report({ problem: 'a b', message: 'x' }))), { reason: 'Error' }],
    [
      'a limit of memory',
      container(failed('', 'OOMKilled')),
      { reason: 'OOMKilled', message: expect.stringContaining('podResourceRequirements') as string },
    ],
    [
      'an init container that failed',
      initializing({ state: backOff, lastState: failed(report({ problem: 'NoIdentity', message: 'no key' })) }),
      { isRunning: false, reason: 'NoIdentity', message: 'no key' },
    ],
    [
      'an init container that runs again after a failure',
      initializing({ state: { running: {} }, lastState: failed(report({ problem: 'NoIdentity', message: 'no key' })) }),
      { isRunning: false, reason: 'PodInitializing', message: 'the attempt before this one failed: no key' },
    ],
    [
      'an image of an init container that is not there',
      initializing({ state: { waiting: { reason: 'ErrImagePull', message: 'not found' } } }),
      { isRunning: false, reason: 'ErrImagePull', message: 'not found' },
    ],
    [
      'an init container that runs',
      initializing({ state: { running: {} } }),
      { isRunning: false, reason: 'PodInitializing', message: '' },
    ],
    [
      'an init container that succeeded after a failure',
      initializing({ state: { terminated: { exitCode: 0 } }, lastState: failed('x') }),
      { isRunning: false, reason: 'PodInitializing', message: '' },
    ],
    [
      'an evicted Pod',
      pod({ phase: 'Failed', reason: 'Evicted', message: 'low on disk' }),
      { phase: 'Failed', isRunning: false, reason: 'Evicted', message: 'low on disk' },
    ],
    [
      'a success after failures',
      pod({
        phase: 'Succeeded',
        containerStatuses: [
          {
            name: 'importer',
            restartCount: 1,
            state: { terminated: { exitCode: 0, message: report({ message: 'Import Complete' }) } },
          },
        ],
      }),
      { phase: 'Succeeded', isRunning: false, reason: 'Completed', message: 'Import Complete', restarts: 1 },
    ],
  ])('%s', (_, given, wanted) => expect(podState(given)).toMatchObject(wanted));

  test.each([1024, 1025, 100_000])('limits a message of %i characters', (length) => {
    expect(podState(container(failed(report({ message: 'x'.repeat(length) })))).message).toHaveLength(1024);
  });
});
