import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, httpGet, TestEngine, tinyVm } from '../test/support/engine';
import { type Figure, figure, median } from './figure';
import { processes } from './memory';

const limitMs = 180_000;

/**
 * apply to the guest's first HTTP answer, against the very QEMU command line that libvirt made for that VM, started
 * by hand in the VM's own network namespace once the VM is stopped: the same devices, disks and network.
 */
export async function benchBoot(rounds: number): Promise<Figure[]> {
  const engine = await TestEngine.start();
  try {
    await runOnce(engine, 'warm'); // images unpacked, page cache warm
    const ours: number[] = [];
    const bare: number[] = [];
    for (let i = 0; i < rounds; i++) {
      const round = await runOnce(engine, `boot-${i}`);
      ours.push(round.ours);
      bare.push(round.bare);
    }
    return [
      figure(
        'boot',
        median(ours.map((value, i) => value / bare[i]!)),
        'x bare QEMU',
        1.3,
        `median of ${rounds} rounds, both in turn; apply ${median(ours).toFixed(0)} ms, bare QEMU ${median(bare).toFixed(0)} ms`,
      ),
    ];
  } finally {
    await engine.down();
  }
}

async function runOnce(engine: TestEngine, name: string): Promise<{ ours: number; bare: number }> {
  const start = Date.now();
  await engine.mustApply(tinyVm(name));
  const ip = await eventually(limitMs, () => engine.podIp(name));
  await eventually(limitMs, () => httpGet(ip), 20);
  const ours = Date.now() - start;
  const bare = await bootBare(name, engine);
  await engine.kubectl('delete', 'vm', name, '--timeout=120s');
  return { ours, bare };
}

/** Restarts the guest's QEMU by hand, with a fresh overlay, and times it to the same HTTP answer. */
async function bootBare(name: string, engine: TestEngine): Promise<number> {
  const qemu = processes().find(({ command }) => command.includes(`guest=default_${name},`));
  if (!qemu) throw new Error(`no QEMU process of VM ${name} is found`);
  const disk = /"filename":"([^"]*\/container-disks\/[^"]+)"/.exec(readFileSync(`/proc/${qemu.pid}/cmdline`, 'utf8'));
  if (!disk) throw new Error('the QEMU command line names no container disk');
  const image = `/proc/${qemu.pid}/root${disk[1]}`;
  const dir = mkdtempSync(join(tmpdir(), 'virt8s-bench-'));
  try {
    const machine = argumentOf(qemu.command, '-machine').split(',')[0]!;
    const args = bareArguments(machine, argumentOf(qemu.command, '-smp'), image, dir);
    const child = spawn('qemu-system-x86_64', args, { stdio: 'ignore' });
    const start = Date.now();
    try {
      await eventually(limitMs, () => fetch('http://127.0.0.1:18080/', { signal: AbortSignal.timeout(1_000) }), 20);
      return Date.now() - start;
    } finally {
      child.kill('SIGKILL');
    }
  } finally {
    void engine;
    rmSync(dir, { recursive: true, force: true });
  }
}
