import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProbeOutcome } from './kvm-decide';

export interface KvmProbeOptions {
  /** @default /dev/kvm */
  readonly device?: string;
  /** @default qemu-system-x86_64 */
  readonly qemu?: string;
  /** @default 3,000; a working vCPU needs about 150 */
  readonly timeoutMs?: number;
  /** Accelerator to probe; tests use `tcg`, which works everywhere. @default kvm */
  readonly accel?: 'kvm' | 'tcg';
  /** Additional arguments of QEMU. */
  readonly extraArgs?: readonly string[];
}

const EXIT_VALUE = 0x2a;
/** isa-debug-exit's code for a value written to its port. */
const EXIT_CODE = (EXIT_VALUE << 1) | 1;
const EXIT_PORT = 0xf4;

const ROM_BYTES = 64 * 1024;
/** Offset of the code in the ROM; the interrupt handler follows immediately. */
const CODE_AT = 0xff00;
/** A descriptor table of two entries, followed by the six bytes that lgdt reads. */
const GDT_AT = 0xfe00;

/**
 * A firmware image that halts until the timer has interrupted it three times, then writes a byte to the exit port. It halts
 * because on some machines a vCPU computes, but no interrupt ever wakes it.
 */
function firmware(): Buffer {
  const low = (word: number): number => word & 0xff;
  const high = (word: number): number => word >> 8;
  const out = (port: number, ...values: number[]): number[] => values.flatMap((value) => [0xb0, value, 0xe6, port]);
  const setUp = (handler: number): number[] => [
    ...[0xfa, 0x2e, 0x66, 0x0f, 0x01, 0x16, low(GDT_AT + 16), high(GDT_AT + 16)], // cli; lgdt
    ...[0x0f, 0x20, 0xc0, 0x0c, 0x01, 0x0f, 0x22, 0xc0], // protected mode, for as long as it takes …
    ...[0xbb, 0x08, 0x00, 0x8e, 0xdb], // … to make ds reach 4 GiB
    ...[0x24, 0xfe, 0x0f, 0x22, 0xc0],
    // local APIC on (spurious vector register), its LINT0 open for the interrupt controller
    ...[0x67, 0x66, 0xc7, 0x05, 0xf0, 0x00, 0xe0, 0xfe, 0xff, 0x01, 0x00, 0x00],
    ...[0x67, 0x66, 0xc7, 0x05, 0x50, 0x03, 0xe0, 0xfe, 0x00, 0x07, 0x00, 0x00],
    ...[0x31, 0xc0, 0x8e, 0xd8, 0x8e, 0xd0, 0xbc, 0x00, 0x70], // ds = ss = 0; sp = 0x7000
    ...[0xc7, 0x06, 0x20, 0x00, low(handler), high(handler)], // vector 8: the handler's offset …
    ...[0xc7, 0x06, 0x22, 0x00, 0x00, 0xf0], // … and segment 0xf000
    ...out(0x20, 0x11), // interrupt controller: IRQ 0 is vector 8, all others masked
    ...out(0x21, 0x08, 0x04, 0x01, 0xfe),
    ...out(0x43, 0x34), // timer: every 11,932 ticks, 10 ms
    ...out(0x40, 0x9c, 0x2e),
    ...[0xfb, 0xf4, 0xeb, 0xfc], // again: sti; hlt; jmp again
  ];
  const handler = [
    ...[0xfe, 0x06, 0x00, 0x05], // inc byte [0x500]
    ...[0x80, 0x3e, 0x00, 0x05, 0x03, 0x72, 0x04], // cmp byte [0x500], 3; jb +4
    ...out(EXIT_PORT, EXIT_VALUE),
    ...out(0x20, 0x20), // end of interrupt
    0xcf, // iret
  ];
  const rom = Buffer.alloc(ROM_BYTES);
  const code = setUp(CODE_AT + setUp(0).length);
  rom.set([...code, ...handler], CODE_AT);
  rom.set([0xff, 0xff, 0x00, 0x00, 0x00, 0x92, 0xcf, 0x00], GDT_AT + 8); // data, 0 to 4 GiB
  rom.writeUInt16LE(15, GDT_AT + 16);
  rom.writeUInt32LE(0xffff0000 + GDT_AT, GDT_AT + 18);
  // reset vector: jmp to the code
  rom.set([0xe9, 0, 0], ROM_BYTES - 16);
  rom.writeInt16LE(CODE_AT - (ROM_BYTES - 16 + 3), ROM_BYTES - 15);
  return rom;
}

/**
 * Runs one vCPU until its timer has woken it three times. The existence of /dev/kvm is not enough: under some hypervisors it
 * can be opened but its vCPUs never run or never wake. The process has exited when the promise resolves.
 */
export async function probeKvm(options: KvmProbeOptions = {}): Promise<ProbeOutcome> {
  const {
    device = '/dev/kvm',
    qemu = 'qemu-system-x86_64',
    timeoutMs = 3_000,
    accel = 'kvm',
    extraArgs = [],
  } = options;
  try {
    accessSync(device, constants.R_OK | constants.W_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? { kind: 'absent', device } : { kind: 'forbidden', device, message };
  }
  const dir = mkdtempSync(join(tmpdir(), 'virt8s-kvm-'));
  try {
    const rom = join(dir, 'probe.rom');
    writeFileSync(rom, firmware());
    return await runProbe(rom, { device, qemu, accel, extraArgs, timeoutMs });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Exit code of setpriv for a program that does not exist. */
const NOT_FOUND = 127;

function runProbe(
  rom: string,
  { device, qemu, accel, extraArgs, timeoutMs }: Required<KvmProbeOptions>,
): Promise<ProbeOutcome> {
  const args = [
    ...['-machine', `pc,accel=${accel}`, '-m', '4', '-nodefaults', '-no-user-config', '-display', 'none', '-no-reboot'],
    ...['-bios', rom, '-device', `isa-debug-exit,iobase=0x${EXIT_PORT.toString(16)},iosize=0x1`],
    ...extraArgs,
  ];
  return new Promise((resolve) => {
    // a guest that hangs must not outlive a handler that is killed in the meantime
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', qemu, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    let timedOut = false;
    child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-1_000)));
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      resolve({ kind: 'notTried', message: error.message });
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      if (code === EXIT_CODE) return resolve({ kind: 'ran' });
      if (timedOut) return resolve({ kind: 'timedOut', device, afterMs: timeoutMs });
      if (code !== NOT_FOUND) return resolve({ kind: 'exited', code, signal, stderr });
      resolve({ kind: 'notTried', message: `${qemu} is not installed; install the package qemu-system-x86` });
    });
  });
}
