import { evaluateJsonPath } from '../../../../src/local/api-server/crd/json-path';
import { podSummary } from '../../../../src/local/api-server/kinds/pod-printer';
import { humanDuration } from '../../../../src/local/api-server/table/format';
import { AnyObject } from '../../../../src/local/api-server/types';

const S = 1000;
const M = 60 * S;
const H = 60 * M;
const D = 24 * H;

test.each([
  [0, '0s'],
  [119 * S, '119s'],
  [120 * S, '2m'],
  [2 * M + 30 * S, '2m30s'],
  [10 * M + 30 * S, '10m'],
  [179 * M, '179m'],
  [3 * H, '3h'],
  [3 * H + 5 * M, '3h5m'],
  [9 * H + 5 * M, '9h'],
  [47 * H, '47h'],
  [48 * H, '2d'],
  [2 * D + 4 * H, '2d4h'],
  [9 * D, '9d'],
  [400 * D, '400d'],
  [3 * 365 * D, '3y'],
  [-5 * S, '<invalid>'],
])('%d ms is %s', (ms, want) => expect(humanDuration(ms)).toBe(want));

const object = {
  spec: {
    a: 1,
    list: [
      { n: 'x', v: 1 },
      { n: 'y', v: 2 },
    ],
    'dotted.key': 'd',
  },
  status: { conditions: [{ type: 'Ready', status: 'True' }, { type: 'Other' }] },
};

test.each([
  ['.spec.a', [1]],
  ['.spec.nope', []],
  ['.spec.list[0].n', ['x']],
  ['.spec.list[-1].n', ['y']],
  ['.spec.list[*].v', [1, 2]],
  [".status.conditions[?(@.type=='Ready')].status", ['True']],
  ['.status.conditions[?(@.type=="Other")].status', []],
  ["['spec']['dotted.key']", ['d']],
  ['.spec.dotted\\.key', ['d']],
  ['..n', ['x', 'y']],
  ['.spec.list[0:1].n', ['x']],
  ['.spec.list[?(@.v>1)].n', ['y']],
])('JSONPath %s finds %j', (path, want) => expect(evaluateJsonPath(path, object)).toEqual(want));

const pod = (status: object, more: object = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c' }], ...more },
  status,
});
const main = (state: object, ready = false, restartCount = 0) => [{ name: 'c', state, ready, restartCount }];

test.each([
  ['Pending', pod({ phase: 'Pending' })],
  [
    'ContainerCreating',
    pod({ phase: 'Pending', containerStatuses: main({ waiting: { reason: 'ContainerCreating' } }) }),
  ],
  ['Running', pod({ phase: 'Running', containerStatuses: main({ running: {} }, true) })],
  ['CrashLoopBackOff', pod({ phase: 'Running', containerStatuses: main({ waiting: { reason: 'CrashLoopBackOff' } }) })],
  [
    'Completed',
    pod({ phase: 'Succeeded', containerStatuses: main({ terminated: { reason: 'Completed', exitCode: 0 } }) }),
  ],
  ['ExitCode:3', pod({ phase: 'Failed', containerStatuses: main({ terminated: { exitCode: 3 } }) })],
  ['Evicted', pod({ phase: 'Failed', reason: 'Evicted' })],
  [
    'Init:0/1',
    pod(
      { phase: 'Pending', initContainerStatuses: [{ name: 'i', state: { running: {} } }] },
      { initContainers: [{ name: 'i' }] },
    ),
  ],
  [
    'Init:Error',
    pod(
      {
        phase: 'Pending',
        initContainerStatuses: [{ name: 'i', state: { terminated: { reason: 'Error', exitCode: 1 } } }],
      },
      { initContainers: [{ name: 'i' }] },
    ),
  ],
])('STATUS %s', (want, object) => expect(podSummary(object).status).toBe(want));

test('a Pod that is being deleted is Terminating, a started sidecar counts as a container', () => {
  const deleted = pod({ phase: 'Running', containerStatuses: main({ running: {} }, true) });
  deleted.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
  expect(podSummary(deleted).status).toBe('Terminating');
  const sidecar = pod(
    {
      phase: 'Running',
      initContainerStatuses: [{ name: 's', started: true, ready: true, state: { running: {} } }],
      containerStatuses: main({ running: {} }, true),
    },
    { initContainers: [{ name: 's', restartPolicy: 'Always' }] },
  );
  expect(podSummary(sidecar)).toMatchObject({ ready: 2, total: 2, status: 'Running' });
});
