import { Backoff, decide, goDuration, isOver, phaseOf } from '../../../../src/local/node/pods/decide';
import type { ContainerKind, ContainerView } from '../../../../src/local/node/pods/decide';
import type { Pod } from '../../../../src/local/core-v1';

type State = 'none' | 'runs' | 'ready' | number;

const view = (name: string, kind: ContainerKind, state: State, more: Partial<ContainerView> = {}): ContainerView => ({
  spec: { name },
  kind,
  started: state === 'ready' || (state === 'runs' && kind !== 'sidecar'),
  ready: state === 'ready',
  busy: false,
  ...(state === 'none'
    ? {}
    : {
        record: {
          attempt: 0,
          startedAt: '2026-01-01T00:00:00Z',
          ...(typeof state === 'number'
            ? { exit: { code: state, reason: 'Error', finishedAt: '2026-01-01T00:00:01Z' } }
            : {}),
        } as ContainerView['record'],
      }),
  ...more,
});
const pod = (restartPolicy: Pod['spec']['restartPolicy'] = 'Never'): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [], restartPolicy },
});
const actions = (policy: Pod['spec']['restartPolicy'], views: ContainerView[], ending?: string) =>
  decide({ pod: pod(policy), views, now: 1000, ending }).map((action) =>
    action.do === 'recheck' ? `recheck ${action.afterMs}` : `${action.do} ${action.container}`,
  );
const { init, side, main, debug } = {
  init: (state: State, more = {}) => view('init', 'init', state, more),
  side: (state: State, more = {}) => view('side', 'sidecar', state, more),
  debug: (state: State, more = {}) => view('debug', 'ephemeral', state, more),
  main: (state: State, more = {}) => view('main', 'main', state, more),
};

test.each<[string, Pod['spec']['restartPolicy'], ContainerView[], string[]]>([
  ['the first init container starts alone', 'Never', [init('none'), side('none'), main('none')], ['start init']],
  ['a running init container holds all others', 'Never', [init('runs'), main('none')], []],
  ['after it the sidecar starts', 'Never', [init(0), side('none'), main('none')], ['start side']],
  ['main containers wait for the start of a sidecar', 'Never', [init(0), side('runs'), main('none')], []],
  [
    'then they start',
    'Never',
    [init(0), side('ready'), main('none'), view('m2', 'main', 'none')],
    ['start main', 'start m2'],
  ],
  ['a failed init container is tried again', 'Always', [init(1), main('none')], ['start init']],
  ['… not with Never', 'Never', [init(1), main('none')], []],
  ['… and sidecars end then', 'Never', [side('ready'), init(1), main('none')], ['kill side']],
  ['a sidecar is restarted regardless of the policy', 'Never', [side(1), main('runs')], ['start side']],
  ['… also after a success', 'OnFailure', [side(0), main('runs')], ['start side']],
  ['a main container that succeeded stays with OnFailure', 'OnFailure', [main(0), view('m2', 'main', 'runs')], []],
  ['… is restarted with Always', 'Always', [main(0)], ['start main']],
  ['a failed one is restarted with OnFailure', 'OnFailure', [main(3)], ['start main']],
  ['back-off is kept', 'Always', [main(1, { notBefore: 4000 })], ['recheck 3000']],
  ['a busy container is not changed', 'Always', [main(1, { busy: true })], []],
  ['a failed probe ends a container', 'Always', [main('runs', { unhealthy: 'failed liveness probe' })], ['kill main']],
  ['sidecars end when the main containers are done', 'Never', [side('ready'), main(0)], ['kill side']],
  ['an ephemeral container starts at once', 'Always', [main('runs'), debug('none')], ['start debug']],
  [
    '… also beside an init container that fails',
    'Always',
    [init(1, { notBefore: 4000 }), main('none'), debug('none')],
    ['start debug', 'recheck 3000'],
  ],
  ['… and runs only once', 'Always', [main('runs'), debug(1)], []],
  ['… and does not end the wait for init containers', 'Always', [init(1), main('none'), debug('runs')], ['start init']],
  ['… and ends with the main containers', 'Never', [main(0), debug('runs')], ['kill debug']],
  ['an init container never runs again beside main containers', 'Always', [init('none'), main('runs')], []],
])('%s', (_, policy, views, want) => expect(actions(policy, views)).toEqual(want));

test('a Pod that ends stops main containers together, then its sidecars from the last', () => {
  const sidecars = [view('s1', 'sidecar', 'ready'), view('s2', 'sidecar', 'ready')];
  expect(actions('Always', [...sidecars, main('runs'), view('m2', 'main', 'runs')], 'deleted')).toEqual([
    'kill main',
    'kill m2',
  ]);
  expect(actions('Always', [...sidecars, main('runs', { busy: true })], 'deleted')).toEqual([]);
  expect(actions('Always', [...sidecars, main(0)], 'deleted')).toEqual(['kill s2']);
  expect(actions('Always', [sidecars[0]!, view('s2', 'sidecar', 0), main(0)], 'deleted')).toEqual(['kill s1']);
  expect(actions('Always', [main(0)], 'deleted')).toEqual([]);
});

test.each<[string, Pod['spec']['restartPolicy'], ContainerView[], string]>([
  ['nothing has started', 'Always', [main('none')], 'Pending'],
  ['an init container runs', 'Always', [init('runs'), main('none')], 'Pending'],
  ['one of two main containers has not started', 'Always', [main('runs'), view('m2', 'main', 'none')], 'Pending'],
  ['it runs', 'Always', [main('runs')], 'Running'],
  ['a crash loop is running', 'Always', [main(1)], 'Running'],
  ['one is done, one runs', 'Never', [main(0), view('m2', 'main', 'runs')], 'Running'],
  ['all succeeded', 'OnFailure', [main(0)], 'Succeeded'],
  ['one failed', 'Never', [main(1), view('m2', 'main', 0)], 'Failed'],
  ['a sidecar still runs', 'Never', [side('ready'), main(0)], 'Running'],
  ["a sidecar's end does not count", 'Never', [side(1), main(0)], 'Succeeded'],
  ['only an ephemeral container has ended', 'Never', [main('runs'), debug(1)], 'Running'],
  ['only an ephemeral container has started', 'Never', [init('none'), main('none'), debug('runs')], 'Pending'],
  ['an init container failed permanently', 'Never', [init(1), main('none')], 'Failed'],
])('phase: %s', (_, policy, views, want) => expect(phaseOf({ pod: pod(policy), views, now: 0 })).toBe(want));

test('a Pod without a verdict yet is not over', () => {
  expect(isOver(pod('Always'), [main(0)])).toBe(false);
  expect(isOver(pod('Never'), [main('none')])).toBe(false);
});

test('back-off doubles to five minutes and is forgiven after ten minutes of running', () => {
  const backoff = new Backoff();
  const waits = Array.from({ length: 8 }, () => backoff.next('c', 1000) / 1000);
  expect(waits).toEqual([0, 10, 20, 40, 80, 160, 300, 300]);
  expect(backoff.next('c', 601_000)).toBe(0);
  expect([10_000, 80_000, 300_000].map(goDuration)).toEqual(['10s', '1m20s', '5m0s']);
});
