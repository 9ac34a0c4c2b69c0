import { parseAgentAnswer, parseDomainState, parseEvent } from '../../../../src/runtime/handler/launcher/sanitize';
import fc from '../../../support/fast-check';

const parse = (value: unknown) => parseDomainState(JSON.stringify(value));

test('ten thousand NICs of a guest become ten', () => {
  const interfaces = Array.from({ length: 10_000 }, (_, i) => ({
    interfaceName: `veth${i}`,
    infoSource: 'guest-agent',
  }));
  expect(parse({ status: 'Running', interfaces })?.interfaces).toHaveLength(10);
});

test('what is no address, MAC, number or name is dropped, the rest is kept', () => {
  const nic = {
    name: 'default',
    mac: 'AA:BB:CC:DD:EE:FF',
    ips: ['10.0.0.1', 'fe80::1', '10.0.0.1/24', 'evil', 7, { toString: 'x' }],
    queueCount: -1,
    linkState: 'sideways',
    infoSource: 'me',
    extra: 'x',
  };
  expect(parse({ status: 'Running', reason: 'Because', interfaces: [nic, 'x', null, { mac: 'nonsense' }] })).toEqual({
    status: 'Running',
    reason: 'Unknown',
    interfaces: [
      { name: 'default', mac: 'aa:bb:cc:dd:ee:ff', ips: ['10.0.0.1', 'fe80::1'], infoSource: 'guest-agent' },
      { ips: [], infoSource: 'guest-agent' },
    ],
    volumes: [],
  });
});

test('texts are cut and carry no control characters', () => {
  const os = { name: `\u001b[2J${'x'.repeat(1_000)}`, id: '' };
  expect(parse({ status: 'Running', os })?.os).toEqual({ name: `?[2J${'x'.repeat(252)}` });
});

test('a report that is too large is none', () => {
  expect(parseDomainState(`{"status":"Running","pad":"${'x'.repeat(1 << 20)}"}`)).toBeUndefined();
  expect(parseAgentAnswer(`"${'x'.repeat(1 << 20)}"`)).toBeUndefined();
  expect(parseAgentAnswer(JSON.stringify(Array(5_000).fill(1)))).toHaveLength(100);
});

test('whatever a launcher sends, reading it does not throw and the result is small', () => {
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
      })
      .map((value) => JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v))),
  );
  fc.assert(
    fc.property(nasty, (json) => {
      const state = parseDomainState(json);
      if (state) expect(JSON.stringify(state).length).toBeLessThan(200_000);
    }),
    { numRuns: 1_000 },
  );
});

test('an event has a CamelCase reason and a message, or it is none', () => {
  const event = (value: unknown) => parseEvent(Buffer.from(JSON.stringify(value)));
  expect(event({ type: 'Warning', reason: 'IOError', message: 'disk full' })).toEqual({
    type: 'Warning',
    reason: 'IOError',
    message: 'disk full',
  });
  expect(event({ type: 'Danger', reason: 'Ok', message: 'm' })?.type).toBe('Normal');
  for (const bad of [{}, [], { reason: 'no spaces', message: 'm' }, { reason: 'R' }, { reason: 'R', message: 7 }]) {
    expect(event(bad)).toBeUndefined();
  }
});

test.each([
  ['as it is', { reason: 'LibvirtUnresponsive', message: 'x' }, { reason: 'LibvirtUnresponsive', message: 'x' }],
  ['without escapes', { reason: 'A', message: '\u001b[31mred' }, { reason: 'A', message: '?[31mred' }],
  ['cut', { reason: 'A', message: 'x'.repeat(1_025) }, { reason: 'A', message: 'x'.repeat(1_024) }],
  ['not with another reason', { reason: 'two words', message: 'x' }, undefined],
  ['not without a message', { reason: 'A', message: '' }, undefined],
  ['not as text', 'x', undefined],
])('a trouble of the launcher is taken over %s', (_, trouble, want) => {
  expect(parseDomainState(JSON.stringify({ status: 'Running', reason: 'Unknown', trouble }))?.trouble).toEqual(want);
});
