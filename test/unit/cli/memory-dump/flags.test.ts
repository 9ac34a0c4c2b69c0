import { type MemoryDumpFlags, planOf } from '../../../../src/cli/memory-dump/flags';

test.each<[string, string, MemoryDumpFlags, RegExp]>([
  ['an unknown action', 'make', {}, /"make" is not an action.*allowed: get, download, remove/],
  ['a new claim without a name', 'get', { createClaim: true }, /add --claim-name/],
  ['a class without a new claim', 'get', { storageClass: 'fast' }, /add --create-claim/],
  [
    'a claim that is only read',
    'get',
    { createClaim: true, claimName: 'a', accessMode: 'ReadOnlyMany' },
    /ReadWriteOnce or/,
  ],
  ['a format without an output', 'get', { format: 'raw' }, /--format cannot be used with get without --output/],
  ['a download without an output', 'download', {}, /add --output FILE/],
  ['a claim of a download', 'download', { claimName: 'a', output: 'b' }, /--claim-name cannot be used with download/],
  ['an unknown format', 'download', { output: 'b', format: 'zip' }, /allowed: gzip, raw/],
  ['an output of a removal', 'remove', { output: 'b' }, /--output cannot be used with remove/],
])('rejects %s', (_, action, flags, message) => {
  expect(() => planOf(action, flags)).toThrow(message);
});

test.each<[string, string, MemoryDumpFlags, object]>([
  ['a dump to the last claim', 'get', {}, { action: 'get' }],
  [
    'a dump to a new claim, with a download',
    'get',
    { claimName: 'a', createClaim: true, storageClass: 'fast', output: 'b', format: 'raw' },
    {
      action: 'get',
      claimName: 'a',
      create: { accessMode: 'ReadWriteOnce', storageClassName: 'fast' },
      download: { output: 'b', format: 'raw', isTunnelled: false },
    },
  ],
  [
    'a download',
    'download',
    { output: '-', portForward: true, localPort: 1 },
    { action: 'download', download: { output: '-', format: 'gzip', isTunnelled: true } },
  ],
  ['a removal', 'remove', {}, { action: 'remove' }],
])('plans %s', (_, action, flags, want) => {
  expect(planOf(action, flags)).toEqual(want);
});
