import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { eventually, httpGet, TestEngine, tinyVm } from '../test/support/engine';
import { freePort } from '../test/integration/package/registry';
import { bareArguments } from './bare-qemu';
import { type Figure, figure, median } from './figure';
import { processes } from './memory';

const overlay = '/var/run/kubevirt-ephemeral-disks/bench.qcow2';

/**
 * apply to the guest's first HTTP answer, against a QEMU started by hand: the same binary, machine, devices and disk,
 * from the command line that libvirt made for that very VM, in its container's file system, while the VM is paused.
 */
export async function benchBoot(rounds: number): Promise<Figure[]> {
  const engine = await TestEngine.start();
  try {
    await bootBoth(engine, 'warm'); // images unpacked, page cache warm
    const times: { ours: number; bare: number }[] = [];
    for (let i = 0; i < rounds; i++) times.push(await bootBoth(engine, `boot-${i}`));
    const ours = median(times.map((time) => time.ours));
    const bare = median(times.map((time) => time.bare));
    return [
      figure(
        'boot',
        median(times.map((time) => time.ours / time.bare)),
        'x bare QEMU',
        1.3,
        `median of ${rounds} rounds, each VM's boot and then its bare twin's; apply to HTTP ${ours} ms, bare QEMU ${bare} ms`,
      ),
    ];
  } finally {
    await engine.down();
  }
}

async function bootBoth(engine: TestEngine, name: string): Promise<{ ours: number; bare: number }> {
  const vm = tinyVm(name);
  const start = Date.now();
  await engine.mustApply(vm);
  const ip = await eventually(() => engine.podIp(name), { everyMs: 20 });
  await eventually(() => httpGet(ip, '/', 1_000), { everyMs: 20 });
  const ours = Date.now() - start;
  await engine.virt8s('pause', 'vm', name);
  const bare = await bootBare(name);
  await engine.virt8s('unpause', 'vm', name);
  await engine.kubectl('delete', 'vm', name, '--timeout=5m');
  return { ours, bare };
}

async function bootBare(name: string): Promise<number> {
  const qemu = processes().find(({ command }) => command.includes(`guest=default_${name},`));
  if (!qemu) throw new Error(`no QEMU process of VM ${name} is found`);
  const argv = readFileSync(`/proc/${qemu.pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  const backing = argv.map((arg) => /"filename":"([^"]*\/container-disks\/[^"]+)"/.exec(arg)?.[1]).find(Boolean);
  if (!backing) throw new Error('the QEMU command line names no container disk');
  const inContainer = (path: string): string => `/proc/${qemu.pid}/root${path}`;
  // the disk's virtual size: bytes 24 to 31 of a qcow2 header
  const header = execFileSync('nsenter', ['-t', String(qemu.pid), '-m', '--', 'head', '-c', '32', backing]);
  const size = String(header.readBigUInt64BE(24));
  execFileSync('qemu-img', [
    'create',
    '-q',
    '-u',
    '-f',
    'qcow2',
    '-F',
    'qcow2',
    '-b',
    backing,
    inContainer(overlay),
    size,
  ]);
  const httpPort = await freePort();
  const args = bareArguments(argv, { overlay, httpPort });
  const start = Date.now();
  const child = spawn('nsenter', ['-t', String(qemu.pid), '-m', '--', argv[0]!, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr.on('data', (data) => (words += data));
  try {
    await eventually(
      async () => {
        if (child.exitCode !== null) throw new Error(`bare QEMU ended: ${words}`);
        await fetch(`http://127.0.0.1:${httpPort}/`, { signal: AbortSignal.timeout(1_000) });
      },
      { everyMs: 20 },
    );
    return Date.now() - start;
  } finally {
    child.kill('SIGKILL');
    rmSync(inContainer(overlay), { force: true });
  }
}
