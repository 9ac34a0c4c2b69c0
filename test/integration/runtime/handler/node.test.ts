import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { DevicePlugin } from '../../../../src/runtime/handler/node/device-plugin';
import { Heartbeat, readMachines } from '../../../../src/runtime/handler/node/heartbeat';
import { verdictOf } from '../../../../src/runtime/handler/node/kvm-decide';
import { probeKvm } from '../../../../src/runtime/handler/node/kvm-probe';
import { KvmWatch } from '../../../../src/runtime/handler/node/kvm-watch';
import { KubeClient, loadKubeConfig, resources } from '../../../../src/runtime/kube';
import type { RegisterRequest } from '../../../../src/runtime/protocol';
import {
  DevicePluginDefinition,
  GrpcClient,
  GrpcServer,
  RegistrationDefinition,
} from '../../../../src/runtime/protocol';
import { startTestApiServer } from '../../../support/api-server';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe('the KVM probe', () => {
  const processes = (): string[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`probe-of-${process.pid}`);
        } catch {
          return false;
        }
      });

  test('passes where a virtual CPU is woken by its timer (here: emulated)', async () => {
    expect(await probeKvm({ device: '/dev/null', accel: 'tcg', timeoutMs: 20_000 })).toEqual({ kind: 'ran' });
  });

  test('ends within its timeout without KVM, reports that, and leaves no process', async () => {
    // a vCPU that never gets to its code: QEMU waits for a debugger
    const outcome = await probeKvm({
      device: '/dev/null',
      accel: 'tcg',
      timeoutMs: 300,
      extraArgs: ['-S', '-name', `probe-of-${process.pid}`],
    });
    expect(outcome).toEqual({ kind: 'timedOut', device: '/dev/null', afterMs: 300 });
    expect(processes()).toEqual([]);
  });

  test('reports what is missing', async () => {
    expect(await probeKvm({ device: '/dev/no-kvm' })).toEqual({ kind: 'absent', device: '/dev/no-kvm' });
    const message = 'no-qemu is not installed; install the package qemu-system-x86';
    expect(await probeKvm({ device: '/dev/null', qemu: 'no-qemu' })).toEqual({ kind: 'notTried', message });
    expect(await probeKvm({ device: '/dev/null', qemu: 'false' })).toEqual({
      kind: 'exited',
      code: 1,
      signal: null,
      stderr: '',
    });
  });

  test('reports the kernel’s answer for a device that is not KVM', async () => {
    const outcome = await probeKvm({ device: '/dev/null', extraArgs: ['-accel', 'no-accel'], timeoutMs: 20_000 });
    expect(verdictOf(outcome)).toMatchObject({ usable: false, cause: expect.stringContaining('with code 1: ') });
  });

  test('is repeated after a slow one, and not after one that succeeded', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'virt8s-kvm-test-'));
    cleanups.push(() => rmSync(dir, { recursive: true }));
    // hangs once, then ends as a probe does that was woken
    const qemu = join(dir, 'qemu');
    const count = join(dir, 'count');
    writeFileSync(qemu, `#!/bin/sh\necho >> ${count}\n[ $(wc -l < ${count}) = 1 ] && exec sleep 60\nexit 85\n`, {
      mode: 0o755,
    });
    // of its own: a change of the device, which other tests may make to /dev/null, is a reason to probe again
    const device = join(dir, 'kvm');
    writeFileSync(device, '');
    let now = 0;
    const probes = () => readFileSync(count, 'utf8').length;
    const watch = new KvmWatch({ device, qemu, timeoutMs: 2_000 }, () => now);
    expect(await watch.verdict()).toMatchObject({
      usable: false,
      cause: expect.stringContaining('(virt-handler probes again)'),
    });
    now = 29_999;
    expect([(await watch.verdict()).usable, probes()]).toEqual([false, 1]);
    now = 30_000;
    expect(await watch.verdict()).toEqual({ usable: true });
    now = 10_000_000;
    expect([await watch.verdict(), probes()]).toEqual([{ usable: true }, 2]);
  });
});

test('machine types come from QEMU', async () => {
  const machines = await readMachines();
  expect(machines).toContain('q35');
  expect(machines.filter((name) => name.startsWith('pc-q35-')).length).toBeGreaterThan(3);
  expect(await readMachines('no-qemu')).toEqual(['q35', 'pc']);
});

describe('a device plugin', () => {
  let dir: string;
  const log = pino({ level: 'silent' });

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'virt8s-plugins-'));
    cleanups.push(() => rmSync(dir, { recursive: true, force: true }));
  });

  /** The kubelet's side. */
  const startKubelet = async (registered: RegisterRequest[], refuse = 0): Promise<GrpcServer> => {
    const kubelet = new GrpcServer().add(RegistrationDefinition, {
      register: (request) => {
        if (refuse-- > 0) throw new Error('not now');
        registered.push(request);
        return {};
      },
    });
    await kubelet.listen(join(dir, 'kubelet.sock'));
    cleanups.push(() => kubelet.close());
    return kubelet;
  };
  const until = async (check: () => boolean): Promise<void> => {
    while (!check()) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const startPlugin = (count: number): DevicePlugin => {
    const plugin = new DevicePlugin({ dir, name: 'tun', path: '/dev/net/tun', count, log });
    plugin.start();
    cleanups.push(() => plugin.stop());
    return plugin;
  };

  test('waits for the kubelet, registers, lists its devices and hands them out', async () => {
    const registered: RegisterRequest[] = [];
    startPlugin(3);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await startKubelet(registered, 1);
    await until(() => registered.length === 1);
    expect(registered[0]).toMatchObject({
      version: 'v1beta1',
      resourceName: 'devices.kubevirt.io/tun',
      endpoint: 'kubevirt-tun.sock',
    });

    const client = new GrpcClient(join(dir, 'kubevirt-tun.sock'));
    cleanups.push(() => client.close());
    const plugin = client.service(DevicePluginDefinition);
    for await (const { devices } of plugin.listAndWatch({})) {
      expect(devices!.map(({ ID, health }) => `${ID} ${health}`)).toEqual([
        'tun0 Healthy',
        'tun1 Healthy',
        'tun2 Healthy',
      ]);
      break;
    }
    const answer = await plugin.allocate({ containerRequests: [{ devicesIds: ['tun1'] }, { devicesIds: ['tun2'] }] });
    expect(answer.containerResponses).toHaveLength(2);
    expect(answer.containerResponses![0].devices).toMatchObject([
      { hostPath: '/dev/net/tun', containerPath: '/dev/net/tun', permissions: 'mrw' },
    ]);
  });

  test('reports to the kubelet that its device became usable', async () => {
    await startKubelet([]);
    const plugin = startPlugin(0);
    await until(() => existsSync(join(dir, 'kubevirt-tun.sock')));
    const client = new GrpcClient(join(dir, 'kubevirt-tun.sock'));
    cleanups.push(() => client.close());
    const seen: number[] = [];
    for await (const { devices } of client.service(DevicePluginDefinition).listAndWatch({})) {
      seen.push(devices!.length);
      if (seen.length === 1) plugin.setCount(2);
      else break;
    }
    expect(seen).toEqual([0, 2]);
  });

  test('comes back after a kubelet that restarted and emptied the directory', async () => {
    const registered: RegisterRequest[] = [];
    const kubelet = await startKubelet(registered);
    startPlugin(1);
    await until(() => registered.length === 1);
    await kubelet.close();
    unlinkSync(join(dir, 'kubevirt-tun.sock'));
    await startKubelet(registered);
    await until(() => registered.length === 2 && existsSync(join(dir, 'kubevirt-tun.sock')));
  });
});

test('the node publishes the address of its handler, its capabilities and why KVM cannot be used', async () => {
  const api = await startTestApiServer();
  cleanups.push(() => api.close());
  const client = new KubeClient(loadKubeConfig(api.kubeconfig), { userAgent: 'test' });
  cleanups.push(() => client.close());
  const labels = { 'kubernetes.io/os': 'linux', 'machine-type.node.kubevirt.io/pc-q35-2.0': 'true' };
  await client.create(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a', labels } });
  const facts = {
    kvm: { usable: false as const, cause: 'no /dev/kvm' },
    endpoint: '10.0.0.1:8186',
    machines: ['q35', 'pc-q35-10.0'],
  };
  const heartbeat = new Heartbeat(client, 'a', () => facts, pino({ level: 'silent' }));
  heartbeat.start();
  const read = async () => (await client.get(resources.nodes, { name: 'a' })).metadata;
  while (!(await read()).annotations?.['kubevirt.io/heartbeat'])
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await read()).labels).toEqual({
    'kubernetes.io/os': 'linux',
    'kubevirt.io/schedulable': 'true',
    'machine-type.node.kubevirt.io/q35': 'true',
    'machine-type.node.kubevirt.io/pc-q35-10.0': 'true',
  });
  expect((await read()).annotations).toMatchObject({
    'virt8s.io/handler-endpoint': '10.0.0.1:8186',
    'virt8s.io/kvm-unusable': 'no /dev/kvm',
  });
  await heartbeat.stop();
  expect((await read()).labels?.['kubevirt.io/schedulable']).toBe('false');
});
