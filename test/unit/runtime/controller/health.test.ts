import { readiness } from '../../../../src/runtime/controller/health';

test.each<[string, string[], boolean, [number, string]]>([
  ['a leader whose caches are all followed', [], true, [200, 'ok']],
  [
    'a leader names each cache and its cause',
    ['datavolumes.cdi.kubevirt.io: not listed yet (403)', 'pods: neither list nor watch has worked for 130 s (reset)'],
    true,
    [
      503,
      'caches that are not synced:\n' +
        'datavolumes.cdi.kubevirt.io: not listed yet (403)\n' +
        'pods: neither list nor watch has worked for 130 s (reset)',
    ],
  ],
  ['one that does not lead fills no cache', ['pods: not listed yet'], false, [503, 'not the leader']],
])('%s', (_, unready, isLeader, want) => expect(readiness(unready, isLeader)).toEqual(want));
