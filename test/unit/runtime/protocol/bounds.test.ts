import {
  boundFilesystems,
  boundGuestInfo,
  boundState,
  boundUsers,
  LIMITS,
  MAX_REPORT_BYTES,
} from '../../../../src/runtime/protocol/bounds';
import fc from '../../../support/fast-check';

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const state = (more: object) => boundState({ status: 'Running', reason: 'Unknown', ...more });

test.each([
  ['as it is', { reason: 'LibvirtUnresponsive', message: 'x' }, { reason: 'LibvirtUnresponsive', message: 'x' }],
  ['without escapes', { reason: 'A', message: '\u001b[31mred' }, { reason: 'A', message: '?[31mred' }],
  ['of the longest message', { reason: 'A', message: 'x'.repeat(1_024) }, { reason: 'A', message: 'x'.repeat(1_024) }],
  ['cut', { reason: 'A', message: 'x'.repeat(1_025) }, { reason: 'A', message: `${'x'.repeat(1_023)}…` }],
  ['not with another reason', { reason: 'two words', message: 'x' }, undefined],
  ['not without a message', { reason: 'A', message: '' }, undefined],
  ['not as text', 'x', undefined],
])('a problem of the launcher is accepted %s', (_, trouble, want) => expect(state({ trouble })?.trouble).toEqual(want));

describe('a domain state', () => {
  test.each([undefined, null, 7, 'Running', [], {}, { status: 'running' }, { status: ['Running'] }])(
    '%j is not one',
    (raw) => expect(boundState(raw)).toBeUndefined(),
  );

  test('keeps known fields and drops unknown ones', () => {
    const nic = {
      name: 'default',
      mac: 'AA:BB:CC:DD:EE:FF',
      ips: ['10.0.0.1', 'fe80::1', '10.0.0.1/24', 'evil', 7, { toString: 'x' }, `fe80::1%${'x'.repeat(100)}`],
      queueCount: -1,
      linkState: 'sideways',
      infoSource: 'me',
      extra: 'x',
    };
    expect(state({ reason: 'Because', interfaces: [nic, 'x', null, { mac: 'nonsense' }], secret: 1 })).toEqual({
      status: 'Running',
      reason: 'Unknown',
      interfaces: [
        { name: 'default', mac: 'aa:bb:cc:dd:ee:ff', ips: ['10.0.0.1', 'fe80::1'], infoSource: 'guest-agent' },
        { ips: [], infoSource: 'guest-agent' },
      ],
      volumes: [],
    });
  });

  test('keeps every field of an honest one', () => {
    const honest = {
      status: 'Paused',
      reason: 'IOError',
      changedAt: '2026-03-01T12:00:00.000Z',
      machineType: 'pc-q35-10.0',
      cpu: { sockets: 1, cores: 2, threads: 3 },
      memory: { guestCurrent: 0, guestAtBoot: 512 },
      interfaces: [
        {
          name: 'default',
          mac: '02:00:00:00:00:01',
          interfaceName: 'eth0',
          ips: ['10.0.0.1'],
          infoSource: 'domain, guest-agent',
          queueCount: 0,
          linkState: 'up',
        },
        { interfaceName: 'docker0', ips: [], infoSource: 'guest-agent', linkState: 'down' },
      ],
      failedDisks: [{ name: 'root', isFull: true }],
      agent: { connected: true, version: '9.0' },
      os: {
        name: 'Debian',
        version: '13',
        prettyName: 'Debian 13',
        versionId: '13',
        kernelRelease: '6',
        kernelVersion: '#1',
        machine: 'x86_64',
        id: 'debian',
      },
      volumes: [{ name: 'root', target: 'vda', size: 1 }],
      omitted: { interfaces: 1, ips: 2, volumes: 3 },
    };
    expect(boundState(honest)).toEqual(honest);
  });

  test.each([
    ['a fraction', 1.5],
    ['a negative number', -1],
    ['a number that is not safe', 2 ** 53],
    ['a text', '1'],
  ])('counts are not %s', (_, cores) => {
    expect(
      state({ cpu: { cores }, memory: { guestAtBoot: cores }, volumes: [{ name: 'a', target: 'b', size: cores }] }),
    ).toMatchObject({
      cpu: { sockets: 1, cores: 1, threads: 1 },
      memory: { guestCurrent: 0, guestAtBoot: 0 },
      volumes: [{ name: 'a', target: 'b' }],
    });
  });

  test('formats times again, so that they contain nothing else', () => {
    expect(state({ changedAt: '2026-03-01 (\u001b[2J) 12:00 UTC' })?.changedAt).toBe('2026-03-01T12:00:00.000Z');
    expect(state({ changedAt: `2026-03-01 (${'x'.repeat(1_000)})` })?.changedAt).toBeUndefined();
    expect(state({ changedAt: 'yesterday' })?.changedAt).toBeUndefined();
  });

  test('addresses, times and volumes at their limits', () => {
    const zone = (length: number): string => `fe80::1%${'x'.repeat(length - 8)}`;
    expect(state({ interfaces: [{ ips: [zone(45), zone(46)] }] })?.interfaces?.[0].ips).toEqual([zone(45)]);
    const padded = (length: number): string => `2026-03-01${' '.repeat(length - 20)}(UTC) UTC`.padEnd(length);
    expect(padded(64)).toHaveLength(64);
    expect(state({ changedAt: padded(64) })?.changedAt).toBe('2026-03-01T00:00:00.000Z');
    expect(state({ changedAt: padded(65) })?.changedAt).toBeUndefined();
    expect(state({ volumes: [{ name: 'a' }, { target: 'vda' }, { name: 'b', target: 'vdb' }] })?.volumes).toEqual([
      { name: 'b', target: 'vdb' },
    ]);
  });

  test('an agent counts as connected only if the report contains it', () => {
    expect(state({ agent: { connected: 'yes', version: '1' } })?.agent).toEqual({ connected: false, version: '1' });
    expect(state({ agent: 'yes' })?.agent).toBeUndefined();
  });

  test.each([
    ['fewer than', -1, undefined],
    ['as many as', 0, undefined],
    ['one more than', 1, 1],
    ['thousands more than', 5_000, 5_000],
  ])('lists with %s allowed keep the allowed number and count the omitted entries', (_, more, omitted) => {
    const size = (max: number): number => Math.min(max, max + more);
    const own = state({ interfaces: many(LIMITS.interfaces + more, (i) => ({ name: `n${i}`, infoSource: 'domain' })) });
    expect(own?.interfaces).toHaveLength(size(LIMITS.interfaces));
    expect(own?.omitted?.interfaces).toBe(omitted);
    const guests = state({ interfaces: many(LIMITS.guestInterfaces + more, (i) => ({ interfaceName: `veth${i}` })) });
    expect(guests?.interfaces).toHaveLength(size(LIMITS.guestInterfaces));
    expect(guests?.omitted?.interfaces).toBe(omitted);
    const ips = state({ interfaces: [{ ips: many(LIMITS.ips + more, (i) => `10.0.${i >> 8}.${i & 255}`) }] });
    expect(ips?.interfaces?.[0].ips).toHaveLength(size(LIMITS.ips));
    expect(ips?.omitted?.ips).toBe(omitted);
    const volumes = state({ volumes: many(LIMITS.volumes + more, (i) => ({ name: `v${i}`, target: 'vda' })) });
    expect(volumes?.volumes).toHaveLength(size(LIMITS.volumes));
    expect(volumes?.omitted?.volumes).toBe(omitted);
  });

  test('NICs of the spec are kept however many a guest adds, and numbers left out add up over both ends', () => {
    const interfaces = [...many(100, () => ({ interfaceName: 'x' })), { name: 'default' }];
    const once = state({ interfaces, omitted: { interfaces: 7, ips: 1, other: 9 } });
    expect(once?.interfaces?.map(({ name }) => name)).toContain('default');
    expect(once?.omitted).toEqual({ interfaces: 97, ips: 1 });
    expect(boundState(once)).toEqual(once);
  });
});

test('users, file systems and commands that are too many are counted', () => {
  expect(boundUsers(many(LIMITS.users, () => ({ userName: 'u' })))).toMatchObject({ omitted: 0 });
  const users = boundUsers(many(LIMITS.users + 3, () => ({ userName: 'u', domain: 'D', loginTime: 1.5, extra: 1 })));
  expect(users.omitted).toBe(3);
  expect(users.items).toHaveLength(LIMITS.users);
  expect(users.items[0]).toEqual({ userName: 'u', domain: 'D', loginTime: 1.5 });
  const fs = { diskName: 'vda1', mountPoint: '/', fileSystemType: 'ext4', usedBytes: 1, totalBytes: 2 };
  const disks = many(LIMITS.disks + 2, (i) => ({ serial: `s${i}`, busType: 'virtio' }));
  expect(boundFilesystems(many(LIMITS.filesystems + 1, () => ({ ...fs, disk: disks.slice(0, 1) })))).toMatchObject({
    omitted: 1,
  });
  expect(boundFilesystems([{ ...fs, disk: disks }, { disk: 7, usedBytes: NaN }, 'x'])).toEqual({
    items: [
      { ...fs, disk: [...disks.slice(0, LIMITS.disks), { serial: '… and 2 more', busType: '' }] },
      { diskName: '', mountPoint: '', fileSystemType: '', usedBytes: 0, totalBytes: 0, disk: [] },
    ],
    omitted: 0,
  });
  const commands = many(LIMITS.commands + 1, (i) => ({ name: `c${i}`, enabled: i > 0 }));
  const { supportedCommands } = boundGuestInfo({ supportedCommands: commands }) as { supportedCommands: object[] };
  expect(supportedCommands).toHaveLength(LIMITS.commands + 1);
  expect(supportedCommands.slice(0, 2)).toEqual([
    { name: 'c0', enabled: false },
    { name: 'c1', enabled: true },
  ]);
  expect(supportedCommands.at(-1)).toEqual({ name: '… and 1 more', enabled: false });
  expect(
    boundGuestInfo({ supportedCommands: commands.slice(0, 1), hostname: 'h', os: { id: 'debian' }, x: 1 }),
  ).toEqual({
    hostname: 'h',
    os: { id: 'debian' },
    supportedCommands: [{ name: 'c0', enabled: false }],
  });
});

// JSON encodes each character of one of these in at most three bytes
const nastyChar = fc.constantFrom('\uffff', '"', '\\', '\u0000', '\ud800', '😀', '日', '\u2028', 'x');
const longText = fc.tuple(nastyChar, fc.integer({ min: 0, max: 400 })).map(([char, times]) => char.repeat(times));
const worstText = '日'.repeat(400);

/** Fills every text and list of a report. */
const worst = (text: string, length: number) => {
  const ip = 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255';
  const number = Number.MAX_SAFE_INTEGER;
  const nic = {
    mac: 'aa:bb:cc:dd:ee:ff',
    interfaceName: text,
    ips: many(length, () => ip),
    infoSource: 'domain, guest-agent',
    queueCount: number,
    linkState: 'down',
  };
  return {
    state: {
      status: 'ShuttingDown',
      reason: 'PostcopyFailed',
      changedAt: '2026-03-01T12:00:00.000Z',
      machineType: text,
      cpu: { sockets: number, cores: number, threads: number },
      memory: { guestCurrent: number, guestAtBoot: number },
      interfaces: [...many(length, () => ({ ...nic, name: text })), ...many(length, () => nic)],
      agent: { connected: false, version: text },
      os: {
        name: text,
        version: text,
        prettyName: text,
        versionId: text,
        kernelRelease: text,
        kernelVersion: text,
        machine: text,
        id: text,
      },
      volumes: many(length, () => ({ name: text, target: text, size: number })),
    },
    users: many(length, () => ({ userName: text, domain: text, loginTime: -Number.MAX_VALUE })),
    filesystems: many(length, () => ({
      diskName: text,
      mountPoint: text,
      fileSystemType: text,
      usedBytes: -Number.MAX_VALUE,
      totalBytes: -Number.MAX_VALUE,
      disk: many(Math.min(length, 20), () => ({ serial: text, busType: text })),
    })),
    info: {
      guestAgentVersion: text,
      hostname: text,
      timezone: text,
      fsFreezeStatus: text,
      os: { name: text, id: text },
      supportedCommands: many(length, () => ({ name: text, enabled: false })),
    },
  };
};

const sizes = ({ state: raw, users, filesystems, info }: ReturnType<typeof worst>): number[] =>
  [boundState(raw), boundUsers(users).items, boundFilesystems(filesystems).items, boundGuestInfo(info)].map((report) =>
    Buffer.byteLength(JSON.stringify(report)),
  );

/** Of the messages, beside the report. */
const REST_BYTES = 2_048;

test('the largest report of each kind fits into a message', () => {
  const largest = sizes(worst(worstText, 1_000));
  expect(Math.max(...largest)).toBeLessThanOrEqual(MAX_REPORT_BYTES - REST_BYTES);
  // and the limits were all reached
  expect(largest.every((size) => size > 20_000)).toBe(true);
});

test('no report exceeds the limit, with any texts and lists', () => {
  const [maxState, maxUsers, maxFilesystems, maxInfo] = sizes(worst(worstText, 1_000));
  fc.assert(
    fc.property(longText, fc.integer({ min: 0, max: 300 }), (text, length) => {
      const [ofState, ofUsers, ofFilesystems, ofInfo] = sizes(worst(text, length));
      expect(ofState).toBeLessThanOrEqual(maxState);
      expect(ofUsers).toBeLessThanOrEqual(maxUsers);
      expect(ofFilesystems).toBeLessThanOrEqual(maxFilesystems);
      expect(ofInfo).toBeLessThanOrEqual(maxInfo);
    }),
    { numRuns: 60, seed: 9 },
  );
});
