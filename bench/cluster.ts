import type { AuditRecord } from '../src/local/api-server/http/audit';
import { sleep, TestEngine, tinyVm } from '../test/support/engine';
import { type Figure, figure } from './figure';
import { cpuMs, type Process, processes, pssMiB } from './memory';

const writes = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
const settleMs = 15_000;
const idleMs = 30_000;

/** Memory and API writes of `count` idle VMs, and of the idle platform. */
export async function benchCluster(count: number): Promise<Figure[]> {
  const engine = await TestEngine.start();
  try {
    return await measure(engine, count);
  } finally {
    await engine.down();
  }
}

async function measure(engine: TestEngine, count: number): Promise<Figure[]> {
  const names = Array.from({ length: count }, (_, i) => `idle-${i}`);
  const [first, ...others] = names;

  const beforeCreate = engine.audit().length;
  await engine.mustApply(tinyVm(first!));
  await engine.vmBecomes(first!, 'Running');
  await sleep(settleMs);
  const created = engine.audit().slice(beforeCreate);

  await engine.mustApply(others.map((name) => tinyVm(name)));
  for (const name of others) await engine.vmBecomes(name, 'Running');
  await sleep(settleMs);

  const platform = (['engine', 'api-server', 'virt-controller', 'virt-handler', 'virt-api'] as const).map((name) => ({
    name,
    pid: engine.componentPid(name),
  }));
  const beforeIdle = engine.audit().length;
  const cpuBefore = platform.map(({ pid }) => cpuMs(pid));
  await sleep(idleMs);
  const cpu = platform.map(({ pid }, i) => ((cpuMs(pid) - cpuBefore[i]!) / idleMs) * 100);
  const idle = engine
    .audit()
    .slice(beforeIdle)
    .filter((entry) => ofComponents(entry) && namesVm(entry, names));

  const overheads = names.map((name) => overheadOf(name, engine));
  const memory = platform.map(({ pid }) => pssMiB(pid));
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const perVm = overheads.map((parts) => parts.reduce((sum, { mib }) => sum + mib, 0));

  const beforeDelete = engine.audit().length;
  await engine.kubectl('delete', 'vm', first!, '--wait=true', '--timeout=5m');
  await sleep(5_000);
  const deleted = engine.audit().slice(beforeDelete);

  // the target covers engine (with its API server), controller and handler; virt-api is reported beside it
  const counted = platform.map(({ name }, i) => ({ name, i })).filter(({ name }) => name !== 'virt-api');
  const sumOf = (values: number[]): number => counted.reduce((sum, { i }) => sum + values[i]!, 0);
  const each = (values: number[], unit: string): string =>
    platform.map(({ name }, i) => `${name} ${values[i]!.toFixed(1)}${unit}`).join(', ');
  return [
    figure(
      'memory-per-vm',
      mean(perVm),
      'MiB PSS',
      32,
      `mean over ${count} idle VMs of every process of the Pod but QEMU, and its conmons; the first: ` +
        overheads[0]!.map(({ what, mib }) => `${what} ${mib.toFixed(1)}`).join(', '),
    ),
    figure('writes-create', countWrites(created), 'API writes', 6, `created to Running; beside: ${breakdown(created)}`),
    figure('writes-delete', countWrites(deleted), 'API writes', 3, `delete to gone; beside: ${breakdown(deleted)}`),
    figure(
      'writes-idle',
      idle.length,
      'API writes',
      0,
      `by controller and handler for ${count} VMs in ${idleMs / 1000} s`,
    ),
    figure(
      'idle-cpu',
      sumOf(cpu),
      '% of one core',
      1,
      `with ${count} idle VMs, over ${idleMs / 1000} s: ${each(cpu, ' %')}`,
    ),
    figure('idle-memory', sumOf(memory), 'MiB PSS', 150, `with ${count} idle VMs: ${each(memory, '')}`),
  ];
}

function ofComponents(entry: AuditRecord): boolean {
  return /^virt-(controller|handler)\//.test(entry.userAgent) && writes.has(entry.verb) && kindOf(entry) !== 'events';
}

/** `virtualmachines` of `virtualmachines.kubevirt.io`. */
function kindOf(entry: AuditRecord): string {
  return entry.resource.split('.')[0]!;
}

function namesVm(entry: AuditRecord, names: string[]): boolean {
  return names.some((name) => entry.name.includes(name));
}

/** Writes of controller and handler; events, leases and the node's heartbeat are listed beside. */
function countWrites(entries: AuditRecord[]): number {
  return entries.filter((entry) => ofComponents(entry) && !['leases', 'nodes'].includes(kindOf(entry))).length;
}

function breakdown(entries: AuditRecord[]): string {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    if (!writes.has(entry.verb)) continue;
    const agent = entry.userAgent.split('/')[0]!;
    const key = `${agent} ${entry.verb} ${entry.resource}${entry.subresource ? `/${entry.subresource}` : ''}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, n]) => `${n} ${key}`).join(', ');
}

/** The processes of a VM's Pod but QEMU: by its cgroup, plus the conmons that hold its containers. */
function overheadOf(vm: string, engine: TestEngine): { what: string; mib: number }[] {
  const all = processes();
  const qemu = all.find((process) => isQemu(process) && process.command.includes(`guest=default_${vm},`));
  const pod = /pod[0-9a-f-]{36}/.exec(qemu?.cgroup ?? '')?.[0];
  if (!pod) throw new Error(`no QEMU process of VM ${vm} is found`);
  const inPod = all.filter((process) => process.cgroup.includes(pod) && !isQemu(process));
  const containers = new Set(
    inPod.flatMap((process) => process.cgroup.match(new RegExp(`${pod}/([^/\\n]+)`))?.[1] ?? []),
  );
  const conmons = all.filter(
    (process) =>
      /(^|\/)conmon /.test(process.command) &&
      process.command.includes(engine.stateDir) &&
      [...containers].some((id) => process.command.includes(id)),
  );
  return [...inPod, ...conmons].map((process) => ({
    what: process.command.split(' ')[0]!.split('/').at(-1)!,
    mib: pssMiB(process.pid),
  }));
}

function isQemu({ command }: Process): boolean {
  return /(^|\/)qemu-system-/.test(command.split(' ')[0]!);
}
