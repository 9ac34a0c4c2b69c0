import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, Size } from 'cdk8s';
import { CloudInit, CloudUser, Cpu, Disk, VirtualMachine, VmPort } from '../src';

/**
 * One synth in a process of its own, so that its memory can be measured: `construct N FILE` declares N machines and
 * writes their objects to FILE, `raw N FILE` declares the objects of FILE as cdk8s ApiObjects. Prints time and memory.
 */
const [variant, count, file] = process.argv.slice(2) as ['construct' | 'raw', string, string];
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJlbmNoYmVuY2hiZW5jaGJlbmNoYmVuY2hiZW5jaGJl bench';

function construct(chart: Chart): void {
  for (let i = 0; i < Number(count); i++) {
    const vm = new VirtualMachine(chart, `vm-${i}`, {
      cpu: Cpu.cores(2),
      memory: Size.gibibytes(2),
      disks: [Disk.containerDisk('registry.example/fedora:42'), Disk.emptyDisk(Size.gibibytes(10))],
      cloudInit: CloudInit.noCloud({ users: [CloudUser.named('me', { sshKeys: [key] })], packages: ['nginx'] }),
    });
    vm.exposeViaService('web', { ports: [VmPort.SSH, VmPort.HTTP] });
  }
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

function raw(chart: Chart, objects: readonly Manifest[]): void {
  for (const { kind, metadata, ...rest } of objects) {
    new ApiObject(chart, `${kind}-${metadata.name}`, { kind, ...rest, metadata: { ...metadata } });
  }
}

const objects = variant === 'raw' ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest[]) : [];
const outdir = mkdtempSync(join(tmpdir(), 'virt8s-bench-'));
try {
  const before = process.memoryUsage().rss;
  const cpu = process.cpuUsage();
  const app = new App({ outdir });
  const chart = new Chart(app, 'bench', { disableResourceNameHashes: true });
  if (variant === 'construct') construct(chart);
  else raw(chart, objects);
  app.synth();
  const { user, system } = process.cpuUsage(cpu);
  const peak = process.resourceUsage().maxRSS * 1024;
  if (variant === 'construct') writeFileSync(file, JSON.stringify(chart.toJson()));
  console.log(JSON.stringify({ ms: (user + system) / 1000, mebibytes: (peak - before) / 1024 / 1024 }));
} finally {
  rmSync(outdir, { recursive: true });
}
