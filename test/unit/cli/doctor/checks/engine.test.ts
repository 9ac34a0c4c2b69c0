import { engine } from '../../../../../src/cli/doctor/checks/engine';
import type { EngineFacts } from '../../../../../src/cli/doctor/facts';
import { expectRow, type Row } from '../healthy';

const record = { pid: 1, version: '1.0.0', ready: true, startedAt: '2026-11-27T11:00:00Z' };
const running: EngineFacts = {
  ...{ stateDir: '/var/lib/virt8s', isRequested: false, isAlive: true, record, commandVersion: '1.0.0' },
  ...{ freeBytes: 100 * 2 ** 30, totalBytes: 200 * 2 ** 30, kvm: 'present', leftProcesses: 0, leftLinks: [] },
  ...{ restarts: {}, stoppedNodes: [], disconnectedNodes: [] },
};
const row = (name: string, more: Partial<EngineFacts>, wanted: string[]): Row => [
  name,
  (facts) => (facts.engine = { ...running, ...more }),
  wanted,
];

test.each<Row>([
  ['a cluster without an engine', () => {}, []],
  row('an engine that runs has no problem', {}, []),
  row('an engine that does not run', { isAlive: false }, [
    'error Engine in /var/lib/virt8s: it does not run = start it',
  ]),
  row('an engine that was killed', { isAlive: false, leftProcesses: 1, leftLinks: ['v1', 'v2'] }, [
    'it does not run, but has left on this machine: 1 process and 2 network links = start',
  ]),
  row(
    'what is left of an engine that was removed',
    { isAlive: false, record: undefined, leftLinks: ['v1'], stateDir: '/srv/e' },
    ['it does not exist, but has left on this machine: 1 network link = virt8s down --state-dir /srv/e'],
  ),
  row('no engine, and nothing left', { isAlive: false, record: undefined }, []),
  row('no engine where the user asks for one', { isAlive: false, record: undefined, isRequested: true }, [
    'error Engine in /var/lib/virt8s: it does not exist = start it: virt8s up',
  ]),
  row('an engine that starts', { record: { ...record, ready: false } }, ['it has been starting since 2026-11-27']),
  row('another version', { commandVersion: '1.1.0' }, ['warning Engine in /var/lib/virt8s: it has version 1.0.0']),
  row('little space', { freeBytes: 3 * 2 ** 30 }, ['warning Folder /var/lib/virt8s: 3072 MiB of 200 GiB are free']),
  row('too little space', { freeBytes: 2 ** 29 }, [
    'error Folder /var/lib/virt8s: 512 MiB of 200 GiB are free, and 1024',
  ]),
  row('no KVM while it is down', { isAlive: false, record: undefined, kvm: 'absent' }, [
    'warning /dev/kvm: it does not',
  ]),
  row('while it runs, its node reports KVM', { kvm: 'absent' }, []),
  row('programs that end', { restarts: { 'virt-api': 3 } }, ['warning Program virt-api: it ended 3 times']),
  row('nodes that are off', { stoppedNodes: ['n2'], disconnectedNodes: ['n3'] }, [
    'warning Node "n2": it was stopped = virt8s node start n2',
    'warning Node "n3": its link is unplugged = virt8s node connect n3',
  ]),
])('%s', (...each) => expectRow(engine, each));
