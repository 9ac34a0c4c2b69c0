import {
  MAX_DEVICES,
  parseProgram,
  renderProgram,
  replacements,
  type DeviceProgram,
} from '../../../../../src/runtime/handler/hotplug/device-program';

/** `r0 = 1; exit` and `r0 = 0; exit`: programs of a runtime that allow and deny everything. */
const allows = Buffer.from('b7000000010000009500000000000000', 'hex');
const denies = Buffer.from('b7000000000000009500000000000000', 'hex');
const program = (...devices: string[]): DeviceProgram => ({ devices, rest: denies });
const changed = (code: Buffer, at: number, value: number): Buffer => {
  const copy = Buffer.from(code);
  copy[at] = value;
  return copy;
};

test('the program of a runtime is kept as it is', () => {
  expect(renderProgram({ devices: [], rest: denies })).toEqual(denies);
  expect(parseProgram(denies)).toEqual({ devices: [], rest: denies });
});

test.each([[['7:0']], [['7:0', '253:1048575']]])('what is rendered for %j is parsed', (devices) => {
  expect(parseProgram(renderProgram(program(...devices)))).toEqual(program(...devices));
});

test.each<[string, Buffer, string]>([
  ['a map of a runtime', Buffer.concat([Buffer.from('1811000000000000', 'hex'), allows]), 'uses maps or functions'],
  [
    'a function of a runtime',
    Buffer.concat([Buffer.from('8500000005000000', 'hex'), allows]),
    'uses maps or functions',
  ],
  ['no instruction', Buffer.alloc(0), 'uses maps or functions'],
  ['a part of an instruction', allows.subarray(0, 12), 'uses maps or functions'],
  ['ours without a device', changed(renderProgram(program('7:0')), 12, 0), 'wrong length'],
  ['ours without the rest', renderProgram(program('7:0')).subarray(0, -16), 'wrong length'],
  ['ours with more devices than instructions', changed(renderProgram(program('7:0')), 12, 3), 'wrong length'],
  ['ours with another instruction', changed(renderProgram(program('7:0')), 17, 0), 'has changed its instructions'],
])('refuses %s', (_, code, cause) => expect(() => parseProgram(code)).toThrow(cause));

const attached = (...programs: DeviceProgram[]) => programs.map((each, id) => ({ id, program: each }));

test.each<[string, DeviceProgram[], 'allow' | 'deny', ReturnType<typeof replacements>]>([
  ['nothing without a program', [], 'allow', []],
  ['a first device', [program()], 'allow', [{ attach: program('7:1'), detach: [0] }]],
  ['a second device', [program('7:0')], 'allow', [{ attach: program('7:0', '7:1'), detach: [0] }]],
  ['nothing for a device that is allowed', [program('7:0', '7:1')], 'allow', []],
  ['nothing for a device that is denied', [program('7:0')], 'deny', []],
  ['the end of one device', [program('7:0', '7:1')], 'deny', [{ attach: program('7:0'), detach: [0] }]],
  ['the end of the last device', [program('7:1')], 'deny', [{ attach: program(), detach: [0] }]],
  ['the rest of an interrupted change', [program(), program('7:1')], 'allow', [{ detach: [0] }]],
  ['the rest of an interrupted end', [program('7:1'), program()], 'deny', [{ detach: [0] }]],
  [
    'all programs of the runtime',
    [program(), { devices: [], rest: allows }],
    'allow',
    [
      { attach: program('7:1'), detach: [0] },
      { attach: { devices: ['7:1'], rest: allows }, detach: [1] },
    ],
  ],
])('replaces %s', (_, programs, verb, expected) => {
  expect(replacements(attached(...programs), verb, '7:1')).toEqual(expected);
});

test.each([
  [MAX_DEVICES - 1, true],
  [MAX_DEVICES, false],
])('one more beside %i devices is allowed: %s', (count, isAllowed) => {
  const many = Array.from({ length: count }, (_, i) => `8:${i}`);
  const act = (): unknown => replacements(attached(program(...many)), 'allow', '7:1');
  if (isAllowed) expect(act()).toHaveLength(1);
  else expect(act).toThrow('more than 4096 devices');
});
