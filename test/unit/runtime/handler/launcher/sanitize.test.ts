import {
  describeOmitted,
  parseDomainState,
  parseEvent,
  parseFilesystems,
  parseGuestInfo,
  parseRefusal,
  parseUsers,
} from '../../../../../src/runtime/handler/launcher/sanitize';
import { MAX_REPORT_BYTES } from '../../../../../src/runtime/protocol/bounds';
import fc from '../../../../support/fast-check';

const parse = (value: unknown) => parseDomainState(JSON.stringify(value));

test('ten thousand NICs of a guest become ten, and the rest is stated', () => {
  const interfaces = Array.from({ length: 10_000 }, () => ({}));
  const state = parse({ status: 'Running', interfaces });
  expect(state?.interfaces).toHaveLength(10);
  expect(describeOmitted(state!)).toBe(
    'the status leaves out 9990 network interfaces, because the guest has more than the status shows',
  );
});

test.each([
  [undefined, undefined],
  [{ ips: 1, volumes: 2 }, 'the status leaves out 1 addresses of network interfaces, 2 volumes, because'],
])('a report with %j left out', (omitted, want) => {
  const said = describeOmitted({ status: 'Running', reason: 'Unknown', omitted });
  if (want) expect(said).toContain(want);
  else expect(said).toBeUndefined();
});

test('a report is read from bytes of any kind', () => {
  const bytes = new Uint8Array(Buffer.from('{"status":"Running"}'));
  expect(parseDomainState(bytes)?.status).toBe('Running');
});

test('texts are cut and carry no control characters', () => {
  const os = { name: `\u001b[2J${'x'.repeat(1_000)}`, id: '' };
  expect(parse({ status: 'Running', os })?.os).toEqual({ name: `?[2J${'x'.repeat(251)}…` });
});

test.each([
  ['at the limit', 0, true],
  ['above the limit', 1, false],
])('a report of a size %s', (_, more, read) => {
  const json = (head: string, tail: string): string =>
    head + ' '.repeat(MAX_REPORT_BYTES - head.length - tail.length + more) + tail;
  expect(parseDomainState(json('{"status":"Running"', '}')) !== undefined).toBe(read);
  expect(parseDomainState(Buffer.from(json('{"status":"Running"', '}'))) !== undefined).toBe(read);
  expect(parseUsers(json('[{"userName":"u"}', ']'), 0).items).toHaveLength(read ? 1 : 0);
  expect(parseGuestInfo(json('{"hostname":"h"', '}'))).toMatchObject(read ? { hostname: 'h' } : {});
});

test('lists report how many entries both ends left out', () => {
  const users = JSON.stringify(Array.from({ length: 70 }, () => ({ userName: 'u' })));
  expect(parseUsers(users, 10).metadata).toEqual({ remainingItemCount: 16 });
  expect(parseUsers('[]', 1).metadata).toEqual({ remainingItemCount: 1 });
  expect(parseUsers('[]', undefined)).toEqual({ metadata: {}, items: [] });
  expect(parseFilesystems('[{"diskName":"vda1"}]', 2)).toMatchObject({
    metadata: { remainingItemCount: 2 },
    items: [{ diskName: 'vda1' }],
  });
  expect(parseFilesystems(undefined, 0)).toEqual({ metadata: {}, items: [] });
  expect(parseFilesystems('nonsense', 0)).toEqual({ metadata: {}, items: [] });
});

test('any message of a launcher is parsed without an exception, and the result is small', () => {
  const nasty = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .record({
        status: fc.constantFrom('Running', 'Paused', 'x'),
        interfaces: fc.anything(),
        os: fc.anything(),
        agent: fc.anything(),
        memory: fc.anything(),
        cpu: fc.anything(),
        volumes: fc.anything(),
        omitted: fc.anything(),
      })
      .map((value) => JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v))),
  );
  fc.assert(
    fc.property(nasty, (json) => {
      const state = parseDomainState(json);
      const read = [state, parseUsers(json, 0), parseFilesystems(json, 0), parseGuestInfo(json)];
      for (const one of read) expect((JSON.stringify(one) ?? '').length).toBeLessThan(MAX_REPORT_BYTES);
      parseEvent(Buffer.from(json));
    }),
    { numRuns: 1_000 },
  );
});

describe('an event', () => {
  const event = (value: unknown) => parseEvent(Buffer.from(JSON.stringify(value)));

  test.each([
    [
      { type: 'Warning', reason: 'IOError', message: 'disk full' },
      { type: 'Warning', reason: 'IOError', message: 'disk full' },
    ],
    [
      { type: 'Danger', reason: 'Ok', message: 'm' },
      { type: 'Normal', reason: 'Ok', message: 'm' },
    ],
    [
      { reason: 'R'.repeat(64), message: 'm' },
      { type: 'Normal', reason: 'R'.repeat(64), message: 'm' },
    ],
    [
      { reason: 'R', message: 'm'.repeat(1_024) },
      { type: 'Normal', reason: 'R', message: 'm'.repeat(1_024) },
    ],
    [
      { reason: 'R', message: 'm'.repeat(1_025) },
      { type: 'Normal', reason: 'R', message: `${'m'.repeat(1_023)}…` },
    ],
    [
      { reason: 'R', message: '\u001b[31mred\n' },
      { type: 'Normal', reason: 'R', message: '?[31mred' },
    ],
  ])('%#: is read', (raw, want) => expect(event(raw)).toEqual(want));

  test.each([
    null,
    {},
    [],
    7,
    { reason: 'no spaces', message: 'm' },
    { reason: 'lower', message: 'm' },
    { reason: 'R'.repeat(65), message: 'm' },
    { reason: 'R' },
    { reason: 'R', message: 7 },
    { reason: 'R', message: '\n' },
  ])('%j cannot be read', (raw) => expect(event(raw)).toBeUndefined());
});

test.each([
  [
    { reason: 'DiskMissing', message: 'no disk' },
    { reason: 'DiskMissing', message: 'no disk' },
  ],
  [
    { reason: 'no reason', message: 'x\u202ey' },
    { reason: 'SyncFailed', message: 'x?y' },
  ],
  [{ message: '\u001b]0;title\u0007' }, { reason: 'SyncFailed', message: '?]0;title?' }],
  [{ message: 'x'.repeat(2_000) }, { reason: 'SyncFailed', message: `${'x'.repeat(1_023)}…` }],
  [{ message: ' ' }, { reason: 'SyncFailed', message: 'the launcher gave no cause' }],
  [undefined, { reason: 'SyncFailed', message: 'the launcher gave no cause' }],
])('%#: a rejection is suitable for a condition', (refusal, want) => expect(parseRefusal(refusal)).toEqual(want));
