import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { VirtualMachine } from '../src/api';
import { type Figure, figure, median } from './figure';

/** Validates, defaults and renders `count` machines, and starts the command `starts` times. */
export function benchRender(count: number, starts: number): Figure[] {
  return [benchStages(count), benchColdStart(starts), benchValidatorMemory()];
}

/** A machine of ordinary size: two disks, cloud-init, a network, a probe. */
function machine(index: number): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: `vm-${index}`, namespace: 'default', labels: { app: 'bench' } },
    spec: {
      runStrategy: 'Always',
      template: {
        metadata: { labels: { app: 'bench' } },
        spec: {
          domain: {
            cpu: { cores: 2 },
            memory: { guest: '2Gi' },
            devices: {
              disks: [
                { name: 'root', disk: { bus: 'virtio' } },
                { name: 'data', disk: { bus: 'virtio' } },
                { name: 'init', disk: { bus: 'virtio' } },
              ],
              interfaces: [{ name: 'default', masquerade: {}, ports: [{ port: 22 }, { port: 80 }] }],
            },
          },
          networks: [{ name: 'default', pod: {} }],
          readinessProbe: { tcpSocket: { port: 22 }, periodSeconds: 5 },
          volumes: [
            { name: 'root', containerDisk: { image: 'example.org/disk:1' } },
            { name: 'data', persistentVolumeClaim: { claimName: `data-${index}` } },
            { name: 'init', cloudInitNoCloud: { userData: '#cloud-config\nhostname: bench\n' } },
          ],
        },
      },
    },
  } as VirtualMachine;
}

/** Verdict, instance, Pod and domain of each machine, by code as the bundles have it. */
export function benchStages(count: number): Figure {
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-bench-'));
  try {
    const outfile = join(folder, 'stages.cjs');
    buildSync({ entryPoints: ['bench/stages.ts'], outfile, bundle: true, platform: 'node', minifySyntax: true });
    const { renderAll } = createRequire(outfile)(outfile) as typeof import('./stages');
    const machines = Array.from({ length: 2 * count }, (_, i) => machine(i));
    renderAll(machines.slice(0, count));
    // time of the processor: others on the machine do not count
    const start = process.cpuUsage();
    renderAll(machines.slice(count));
    const { user, system } = process.cpuUsage(start);
    const micros = (user + system) / count;
    return figure(
      'validate, default and render',
      micros,
      'µs per VM',
      500,
      `${count} machines after as many to warm up: verdict, instance, launcher Pod and domain of each, time of the ` +
        `processor; ${Math.round(1e6 / micros)} VMs/s`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Time from the start of the process to the end of the first verdict; the first start of all fills the compile cache. */
function benchColdStart(starts: number): Figure {
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-bench-'));
  try {
    const file = join(folder, 'vm.json');
    writeFileSync(file, JSON.stringify(machine(0)));
    const times = Array.from({ length: starts }, () => {
      const start = process.hrtime.bigint();
      const { status, stderr } = spawnSync(
        process.execPath,
        ['build/virt8s/main.mjs', 'render', '--to', 'verdict', file],
        {
          encoding: 'utf8',
          env: { ...process.env, VIRT8S_CACHE: folder },
        },
      );
      if (status !== 0) throw new Error(`render failed: ${stderr}; run npm run bundle first`);
      return Number(process.hrtime.bigint() - start) / 1e6;
    });
    const [first, ...later] = times as [number, ...number[]];
    const method = `median of ${starts - 1} starts of node on the bundle, after one that took ${first.toFixed(0)} ms to fill the compile cache`;
    return figure('first verdict', median(later), 'ms', 100, method);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resident memory of a process that validated one machine, less that of a process that loaded nothing. */
function benchValidatorMemory(): Figure {
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-bench-'));
  try {
    const outfile = join(folder, 'schema.cjs');
    buildSync({ entryPoints: ['src/api/schema.ts'], outfile, bundle: true, platform: 'node', minify: true });
    const resident = (program: string): number => {
      const report = 'global.gc(); console.log(process.memoryUsage().rss)';
      const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '-e', `${program}; ${report}`], {
        encoding: 'utf8',
      });
      if (!(Number(stdout) > 0)) throw new Error(`the process did not report its memory: ${stderr}`);
      return Number(stdout) / 1024 / 1024;
    };
    const validate = `require(${JSON.stringify(outfile)}).validateSchema(${JSON.stringify(machine(0))})`;
    const added = [1, 2, 3, 4, 5].map(() => resident(validate) - resident('0'));
    return figure(
      'validators in memory',
      median(added),
      'MiB',
      10,
      'resident memory with and without, median of 5 pairs',
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
