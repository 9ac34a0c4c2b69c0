/**
 * Programs of version 2 of cgroups, which decide which devices a container may open. The program of the container runtime stays as
 * it is; ours begins with the devices of hotplugged volumes and continues with it. Pure.
 */

/** A block device: `MAJOR:MINOR`. */
export type DeviceNumber = string;

export interface DeviceProgram {
  /** Block devices that may be read and written, regardless of the rest. */
  readonly devices: readonly DeviceNumber[];
  /** Instructions of the container runtime. */
  readonly rest: Buffer;
}

const INSTRUCTION_BYTES = 8;
/** Distinguishes programs of ours from those of the runtime. */
const MARK = 0x76_38_73_01;
/** A jump passes 32,767 instructions at most. */
export const MAX_DEVICES = 4_096;

/** Instructions of linux/bpf.h, with 64-bit operations where there is a choice. */
const op = {
  load: 0x61,
  set: 0xb7,
  copy: 0xbf,
  and: 0x57,
  shiftRight: 0x77,
  ifNot: 0x55,
  loadWide: 0x18,
  call: 0x85,
  exit: 0x95,
};
/** Offsets of `struct bpf_cgroup_dev_ctx`. */
const field = { access: 0, major: 4, minor: 8 };
const BLOCK = 1;
const MKNOD = 1;

const RESULT = 0;
/** First argument; the rest expects it there. */
const CONTEXT = 1;
const TYPE = 2;
const ACCESS = 3;
const MAJOR = 4;
const MINOR = 5;

function instruction(code: number, to: number, { from = 0, offset = 0, value = 0 } = {}): Buffer {
  const bytes = Buffer.alloc(INSTRUCTION_BYTES);
  bytes.writeUInt8(code, 0);
  bytes.writeUInt8((from << 4) | to, 1);
  bytes.writeInt16LE(offset, 2);
  bytes.writeInt32LE(value, 4);
  return bytes;
}

/** Instructions of a program; those of the rest if it allows no device. */
export function renderProgram({ devices, rest }: DeviceProgram): Buffer {
  if (devices.length === 0) return rest;
  const rules = devices.flatMap((device) => {
    const [major, minor] = device.split(':').map(Number);
    return [
      instruction(op.ifNot, MAJOR, { value: major, offset: 3 }),
      instruction(op.ifNot, MINOR, { value: minor, offset: 2 }),
      instruction(op.set, RESULT, { value: 1 }),
      instruction(op.exit, 0),
    ];
  });
  const numbers = [
    instruction(op.load, MAJOR, { from: CONTEXT, offset: field.major }),
    instruction(op.load, MINOR, { from: CONTEXT, offset: field.minor }),
  ];
  const toRest = numbers.length + rules.length;
  return Buffer.concat([
    instruction(op.set, RESULT, { value: MARK }),
    instruction(op.set, RESULT, { value: devices.length }),
    instruction(op.load, TYPE, { from: CONTEXT, offset: field.access }),
    instruction(op.copy, ACCESS, { from: TYPE }),
    instruction(op.and, TYPE, { value: 0xffff }),
    instruction(op.shiftRight, ACCESS, { value: 16 }),
    instruction(op.and, ACCESS, { value: MKNOD }),
    instruction(op.ifNot, TYPE, { value: BLOCK, offset: toRest + 1 }),
    instruction(op.ifNot, ACCESS, { value: 0, offset: toRest }),
    ...numbers,
    ...rules,
    rest,
  ]);
}

/** Instructions before the first rule, and those of one rule. */
const HEAD = 11;
const RULE = 4;

/** Parses the instructions of an attached program. Throws if it is one that cannot be extended. */
export function parseProgram(code: Buffer): DeviceProgram {
  const at = (index: number): number => code.readInt32LE(index * INSTRUCTION_BYTES + 4);
  const isOurs = code.length > HEAD * INSTRUCTION_BYTES && code[0] === op.set && at(0) === MARK;
  if (!isOurs) {
    if (!isSelfContained(code)) throw new Error('the program of the container runtime uses maps or functions');
    return { devices: [], rest: code };
  }
  const count = at(1);
  const end = HEAD + count * RULE;
  if (count < 1 || count > MAX_DEVICES || code.length <= end * INSTRUCTION_BYTES)
    throw new Error('it has a wrong length');
  const devices = Array.from({ length: count }, (_, i) => `${at(HEAD + i * RULE)}:${at(HEAD + i * RULE + 1)}`);
  const program = { devices, rest: code.subarray(end * INSTRUCTION_BYTES) };
  if (!renderProgram(program).equals(code)) throw new Error('the kernel has changed its instructions');
  return program;
}

/** Maps and functions are shown by the kernel with other values than it was given. */
function isSelfContained(code: Buffer): boolean {
  for (let at = 0; at < code.length; at += INSTRUCTION_BYTES) {
    if (code[at] === op.call || code[at] === op.loadWide) return false;
  }
  return code.length > 0 && code.length % INSTRUCTION_BYTES === 0;
}

export interface Attached {
  readonly id: number;
  readonly program: DeviceProgram;
}

/** Change of the programs of one cgroup, all of which must allow a device. */
export interface Replacement {
  /** Is attached before the others are detached, so that a program decides at every moment. */
  readonly attach?: DeviceProgram;
  readonly detach: readonly number[];
}

/** Replacements that allow or deny a device; none if that is so already. Programs left by a killed handler are joined. */
export function replacements(
  attached: readonly Attached[],
  verb: 'allow' | 'deny',
  device: DeviceNumber,
): Replacement[] {
  const groups = Map.groupBy(attached, ({ program }) => program.rest.toString('base64'));
  return [...groups.values()].flatMap((group) => {
    const known = group.flatMap(({ program }) => program.devices).filter((each) => each !== device);
    const devices = [...new Set(verb === 'allow' ? [...known, device] : known)].sort();
    if (devices.length > MAX_DEVICES) throw new Error(`more than ${MAX_DEVICES} devices are hotplugged`);
    const kept = group.find(({ program }) => program.devices.join() === devices.join());
    const detach = group.filter((each) => each !== kept).map(({ id }) => id);
    if (kept) return detach.length ? [{ detach }] : [];
    return [{ attach: { devices, rest: group[0].program.rest }, detach }];
  });
}
