import { readFileSync } from 'node:fs';
import type { NodeContext } from '../../../../../src/local/node/pods/context';
import type { ContainerRecord } from '../../../../../src/local/node/pods/record';
import { resumeContainer } from '../../../../../src/local/node/pods/starter';
import { processOf } from '../../../../../src/local/node/runtime/crun';

const AT = '2026-01-01T00:00:00.000Z';
const living = processOf(process.pid);
const thisBoot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
const dead = { pid: process.pid, startTime: '1' };

/** Runtime with this state of the container; it records its calls in order. */
function contextOf(done: string[], start: 'works' | 'fails', state: string | undefined): NodeContext {
  return {
    runtime: {
      start: async () => {
        done.push('start');
        if (start === 'fails') throw new Error('cannot start a container that is not created');
      },
      state: async () => state,
    },
    records: { save: async ({ startedAt }: ContainerRecord) => done.push(`save ${startedAt}`) },
  } as unknown as NodeContext;
}

test.each<[string, Partial<ContainerRecord>, 'works' | 'fails', string | undefined, boolean, string[]]>([
  ['whose start was not written down is not resumed', { process: living }, 'works', 'created', false, []],
  ['without a process is not resumed', {}, 'works', undefined, false, []],
  [
    'that waits to be started is started',
    { process: living, startingAt: AT },
    'works',
    'created',
    true,
    ['start', `save ${AT}`],
  ],
  [
    'that runs already is taken as it is',
    { process: living, startingAt: AT },
    'fails',
    'running',
    true,
    ['start', `save ${AT}`],
  ],
  [
    'that ended while we asked has an end',
    { process: living, startingAt: AT },
    'fails',
    undefined,
    true,
    ['start', `save ${AT}`],
  ],
  ['that has ended already has an end', { process: dead, startingAt: AT }, 'works', 'stopped', true, [`save ${AT}`]],
  [
    'that ended in this boot of the machine has an end',
    { process: dead, startingAt: AT, startingBoot: thisBoot },
    'works',
    'stopped',
    true,
    [`save ${AT}`],
  ],
  [
    'that a reboot came before is made again',
    { process: dead, startingAt: AT, startingBoot: 'an earlier boot' },
    'works',
    undefined,
    false,
    [],
  ],
  ['that cannot be started is given up', { process: living, startingAt: AT }, 'fails', 'created', false, ['start']],
])('an attempt %s', async (_, record, start, state, resumed, want) => {
  const done: string[] = [];
  expect(await resumeContainer(contextOf(done, start, state), record as ContainerRecord)).toBe(resumed);
  expect(done).toEqual(want);
});
