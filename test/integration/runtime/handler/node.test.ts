import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { DevicePlugin, DevicePlugins } from '../../../../src/runtime/handler/node/device-plugin';
import { Heartbeat, readMachines } from '../../../../src/runtime/handler/node/heartbeat';
import { verdictOf } from '../../../../src/runtime/handler/node/kvm-decide';
import { probeKvm } from '../../../../src/runtime/handler/node/kvm-probe';
import { KvmWatch } from '../../../../src/runtime/handler/node/kvm-watch';
import type { NodeFacts } from '../../../../src/runtime/handler/node/labels';
import { sharedOffer } from '../../../../src/runtime/handler/node/offers';
import { KubeClient, loadKubeConfig, resources } from '../../../../src/runtime/kube';
import type { RegisterRequest } from '../../../../src/runtime/protocol';
import {
  DevicePluginDefinition,
  GrpcClient,
  GrpcServer,
  RegistrationDefinition,
} from '../../../../src/runtime/protocol';
import { startTestApiServer } from '../../../support/api-server';
import { until } from '../../../support/until';
import { PATIENCE_MS, sleep } from '../../../support/patience';

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
    expect(await probeKvm({ device: '/dev/null', accel: 'tcg', timeoutMs: PATIENCE_MS })).toEqual({ kind: 'ran' });
  });

  test('ends within its timeout without KVM, reports that, and leaves no process', async () => {
    // a vCPU that never gets to its code: QEMU waits for a debugger
    const outcome = await probeKvm({
      device: '/dev/null',
      accel: 'tcg',
      // eslint-disable-next-line virt8s/patience-of-programs -- the limit is tested
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
    const outcome = await probeKvm({ device: '/dev/null', extraArgs: ['-accel', 'no-accel'], timeoutMs: PATIENCE_MS });
    expect(verdictOf(outcome)).toMatchObject({ usable: false, cause: expect.stringContaining('with code 1: ') });
  });

  test('is repeated after a slow one, and not after one that succeeded', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'virt8s-kvm-test-'));
    cleanups.push(() => rmSync(dir, { recursive: true }));
    // hangs once, then ends as a probe does that was woken
    const qemu = join(dir, 'qemu');
    const hang = join(dir, 'hang');
    writeFileSync(hang, '');
    writeFileSync(qemu, `#!/bin/sh\n[ -e ${hang} ] && exec sleep 600\nexit 85\n`, { mode: 0o755 });
    // of its own: a change of the device, which other tests may make to /dev/null, is a reason to probe again
    const device = join(dir, 'kvm');
    writeFileSync(device, '');
    let now = 0;
    let count = 0;
    const probes = () => count;
    // read once by each probe; only the first one reaches its limit
    const options = {
      ...{ device, qemu },
      get timeoutMs() {
        return ++count === 1 ? 100 : PATIENCE_MS;
      },
    };
    const watch = new KvmWatch(options, () => now);
    expect(await watch.verdict()).toMatchObject({
      usable: false,
      cause: expect.stringContaining('(virt-handler probes again)'),
    });
    rmSync(hang);
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
  const startPlugin = (count: number): DevicePlugin => {
    const plugin = new DevicePlugin(sharedOffer('tun', '/dev/net/tun', count), { dir, log });
    plugin.start();
    cleanups.push(() => plugin.stop());
    return plugin;
  };

  test('waits for the kubelet, registers, lists its devices and hands them out', async () => {
    const registered: RegisterRequest[] = [];
    startPlugin(3);
    // eslint-disable-next-line virt8s/patience -- timers of one duration fire in order: the plugin has looked
    await sleep(1);
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
    await expect(plugin.allocate({ containerRequests: [{ devicesIds: ['tun9'] }] })).rejects.toThrow(
      'devices.kubevirt.io/tun has no device "tun9" any more',
    );
  });

  test('is added for a resource that the configuration permits later, and has no devices when it no longer does', async () => {
    const registered: RegisterRequest[] = [];
    await startKubelet(registered);
    const plugins = new DevicePlugins({ dir, log });
    cleanups.push(() => plugins.stop());
    const tun = sharedOffer('tun', '/dev/net/tun', 1);
    const gpu = {
      resource: 'nvidia.com/T4',
      variable: 'PCI_RESOURCE_NVIDIA_COM_T4',
      devices: [{ id: 'a', nodes: ['/dev/vfio/7'] }],
    };
    plugins.offer([tun]);
    plugins.offer([tun, gpu]);
    await until(() => registered.length === 2);
    const names = registered.map(({ resourceName }) => resourceName);
    expect(names.sort()).toEqual(['devices.kubevirt.io/tun', 'nvidia.com/T4']);
    const client = new GrpcClient(join(dir, 'kubevirt-nvidia.com_T4.sock'));
    cleanups.push(() => client.close());
    const seen: number[] = [];
    for await (const { devices = [] } of client.service(DevicePluginDefinition).listAndWatch({})) {
      seen.push(devices.length);
      if (seen.length === 1) plugins.offer([tun]);
      else break;
    }
    expect(seen).toEqual([1, 0]);
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
      if (seen.length === 1) plugin.update(sharedOffer('tun', '/dev/net/tun', 2));
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

describe('the node', () => {
  const facts = (more: Partial<NodeFacts> = {}): NodeFacts => ({
    kvm: { usable: false, cause: 'no /dev/kvm' },
    endpoint: '10.0.0.1:8186',
    guests: { kernel: { realtime: false, ksm: false }, usesKvm: false, machines: ['q35', 'pc-q35-10.0'] },
    cpuManager: false,
    ...more,
  });
  const start = async (labels: Record<string, string>, read: () => NodeFacts | Promise<NodeFacts>) => {
    const api = await startTestApiServer();
    cleanups.push(() => api.close());
    const client = new KubeClient(loadKubeConfig(api.kubeconfig), { userAgent: 'test' });
    cleanups.push(() => client.close());
    await client.create(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a', labels } });
    const heartbeat = new Heartbeat(client, 'a', read, pino({ level: 'silent' }));
    heartbeat.start();
    const metadata = async () => (await client.get(resources.nodes, { name: 'a' })).metadata;
    const becomes = (check: (of: Awaited<ReturnType<typeof metadata>>) => boolean) =>
      until(async () => {
        const of = await metadata();
        return check(of) && of;
      });
    return { heartbeat, metadata, becomes };
  };

  test('publishes the address of its handler, its capabilities and why KVM cannot be used', async () => {
    const others = { 'kubernetes.io/os': 'linux', 'machine-type.node.kubevirt.io/pc-q35-2.0': 'true' };
    const { heartbeat, metadata, becomes } = await start(others, () => facts());
    const { labels, annotations } = await becomes((of) => Boolean(of.annotations?.['kubevirt.io/heartbeat']));
    expect(labels).toEqual({
      'kubernetes.io/os': 'linux',
      'kubevirt.io/schedulable': 'true',
      'kubevirt.io/cpumanager': 'false',
      'machine-type.node.kubevirt.io/q35': 'true',
      'machine-type.node.kubevirt.io/pc-q35-10.0': 'true',
    });
    expect(annotations).toMatchObject({
      'virt8s.io/handler-endpoint': '10.0.0.1:8186',
      'virt8s.io/kvm-unusable': 'no /dev/kvm',
    });
    await heartbeat.stop();
    expect((await metadata()).labels?.['kubevirt.io/schedulable']).toBe('false');
  });

  test('receives no guest after a handler was killed until the next one knows its devices', async () => {
    const known = Promise.withResolvers<NodeFacts>();
    const { heartbeat, becomes } = await start({ 'kubevirt.io/schedulable': 'true' }, () => known.promise);
    const held = await becomes((of) => of.labels?.['kubevirt.io/schedulable'] === 'false');
    expect(held.annotations?.['kubevirt.io/heartbeat']).toBeUndefined();
    known.resolve(facts());
    await becomes((of) => of.labels?.['kubevirt.io/schedulable'] === 'true');
    await heartbeat.stop();
  });

  test('publishes a change at once, and not its last state after the handler ended', async () => {
    let cpuManager = false;
    const { heartbeat, metadata, becomes } = await start({}, () => facts({ cpuManager }));
    await becomes((of) => of.labels?.['kubevirt.io/cpumanager'] === 'false');
    cpuManager = true;
    heartbeat.publish();
    await becomes((of) => of.labels?.['kubevirt.io/cpumanager'] === 'true');
    heartbeat.publish();
    await heartbeat.stop();
    expect((await metadata()).labels?.['kubevirt.io/schedulable']).toBe('false');
  });
});
