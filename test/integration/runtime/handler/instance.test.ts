import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { KubeObject, VirtualMachineInstance } from '../../../../src/api';
import { launcherPodName } from '../../../../src/api/launcher-name';
import crds from '../../../../src/api/generated/crds.json';
import { InstanceController } from '../../../../src/runtime/handler/instance/controller';
import type { Pod } from '../../../../src/runtime/handler/kube-types';
import { HandlerMetrics } from '../../../../src/runtime/handler/metrics';
import { PodVolumes } from '../../../../src/runtime/handler/paths/pod-volumes';
import { GrpcError, GrpcStatus } from '../../../../src/runtime/protocol';
import { EventRecorder, KubeClient, loadKubeConfig, resources } from '../../../../src/runtime/kube';
import { startTestApiServer } from '../../../support/api-server';
import type { TestApiServer } from '../../../support/api-server';
import { addEth0, startContainer } from './container';
import type { TestContainer } from './container';
import { TestLauncher } from './test-launcher';
import { eventually } from '../../../support/patience';

/** The handler's loop against the engine's API server, a Pod's real namespace and a launcher on real sockets. */

const NODE = 'node-a';
let api: TestApiServer;
let user: KubeClient;

beforeAll(async () => {
  api = await startTestApiServer();
  user = new KubeClient(loadKubeConfig(api.kubeconfig), { userAgent: 'test' });
  for (const crd of crds as unknown as KubeObject[]) await user.create(resources.customResourceDefinitions, crd);
  await eventually(async () => void (await user.list(resources.virtualMachineInstances)));
});

afterAll(async () => {
  user.close();
  await api.close();
});

/** One VMI with its Pod on the node, and the process that runs in the Pod. */
class Scene {
  private static count = 0;
  public readonly name = `vm${Scene.count++}`;
  public readonly ref = { namespace: 'default', name: this.name };
  public launcher!: TestLauncher;
  public pod!: Pod;
  private container!: TestContainer;
  private handler?: { controller: InstanceController; running: Promise<void>; recorder: EventRecorder };
  /** Writes of this scene's handler by verb and resource. */
  public client!: KubeClient;
  public writes: string[] = [];

  /** `kubelet`: directory of a scene on the same node. */
  public constructor(public readonly kubelet = mkdtempSync(join(tmpdir(), 'virt8s-handler-'))) {}

  public async set(spec: object = {}): Promise<this> {
    const vmi = await user.create(resources.virtualMachineInstances, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: { ...this.ref, finalizers: ['foregroundDeleteVirtualMachine'] },
      spec: {
        terminationGracePeriodSeconds: 1,
        networks: [{ name: 'default', pod: {} }],
        volumes: [{ name: 'root', containerDisk: { image: 'x' } }],
        domain: {
          memory: { guest: '256Mi' },
          devices: {
            interfaces: [{ name: 'default', masquerade: {} }],
            disks: [{ name: 'root', disk: { bus: 'virtio' } }],
          },
        },
        ...spec,
      },
      status: {
        phase: 'Pending',
        phaseTransitionTimestamps: [{ phase: 'Pending', phaseTransitionTimestamp: '2026-01-01T00:00:00Z' }],
      },
    } as VirtualMachineInstance);
    this.container = await startContainer();
    addEth0(this.container, ['10.97.1.2/24', 'fd97:1::2/64']);
    this.pod = await user.create<Pod>(resources.pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        namespace: 'default',
        name: launcherPodName(this.name, vmi.metadata.uid!),
        labels: { 'kubevirt.io': 'virt-launcher' },
        ownerReferences: [
          {
            apiVersion: 'kubevirt.io/v1',
            kind: 'VirtualMachineInstance',
            name: this.name,
            uid: vmi.metadata.uid!,
            controller: true,
          },
        ],
      },
      spec: {
        nodeName: NODE,
        containers: [{ name: 'compute', image: 'virt-launcher:test' }],
        volumes: [{ name: 'root', image: { reference: 'x' } }],
      },
    } as Pod);
    const volumes = join(this.kubelet, 'pods', this.pod.metadata.uid!, 'volumes', 'kubernetes.io~empty-dir');
    for (const name of ['sockets', 'public', 'private']) mkdirSync(join(volumes, name), { recursive: true });
    this.launcher = new TestLauncher(volumes);
    return this;
  }

  public async podStatus(status: object): Promise<void> {
    const ref = { namespace: 'default', name: this.pod.metadata.name!, subresource: 'status' };
    await user.patch(resources.pods, ref, { status }, 'merge');
  }

  public async podRuns(): Promise<void> {
    const running = { running: { startedAt: new Date().toISOString() } };
    await this.podStatus({
      phase: 'Running',
      qosClass: 'Burstable',
      podIP: '10.97.1.2',
      podIPs: [{ ip: '10.97.1.2' }, { ip: 'fd97:1::2' }],
      containerStatuses: [
        {
          name: 'compute',
          containerID: `crun://${this.container.id}`,
          image: 'virt-launcher:test',
          imageID: '',
          ready: true,
          restartCount: 0,
          state: running,
        },
      ],
    });
  }

  public async podEnds(exitCode: number): Promise<void> {
    await this.launcher.stop();
    await this.podStatus({ phase: exitCode === 0 ? 'Succeeded' : 'Failed' });
  }

  public startHandler(): void {
    const log = pino({ level: process.env.VIRT8S_TEST_LOG ?? 'silent' }, pino.destination({ dest: 2, sync: true }));
    this.client = new KubeClient(loadKubeConfig(api.kubeconfig), { userAgent: 'virt-handler/test' });
    const request = this.client.request.bind(this.client);
    this.client.request = async (method: string, path: string, ...rest: never[]) => {
      if (method !== 'GET') this.writes.push(`${method} ${path.split('/').at(-2)}`);
      return request(method, path, ...rest);
    };
    const recorder = new EventRecorder(this.client, { component: 'virt-handler', host: NODE });
    const controller = new InstanceController({
      client: this.client,
      recorder,
      log,
      node: NODE,
      volumes: new PodVolumes(this.kubelet),
      procDir: '/proc',
      metrics: new HandlerMetrics(NODE, log),
    });
    this.handler = { controller, recorder, running: controller.run() };
  }

  public async stopHandler(): Promise<void> {
    await this.handler?.controller.stop();
    await this.handler?.recorder.stop();
    this.client?.close();
    this.handler = undefined;
  }

  public vmi(): Promise<VirtualMachineInstance> {
    return user.get<VirtualMachineInstance>(resources.virtualMachineInstances, this.ref);
  }

  public phase(phase: string): Promise<VirtualMachineInstance> {
    return eventually(async () => {
      const vmi = await this.vmi();
      expect(vmi.status?.phase).toBe(phase);
      return vmi;
    });
  }

  public condition(type: string, wanted: object | undefined): Promise<VirtualMachineInstance> {
    return eventually(async () => {
      const vmi = await this.vmi();
      const condition = vmi.status?.conditions?.find((candidate) => candidate.type === type);
      if (wanted) expect(condition).toMatchObject(wanted);
      else expect(condition).toBeUndefined();
      return vmi;
    });
  }

  /** Whether the handler listens to the Pod's launcher. */
  public get isHeard(): boolean {
    const volumes = join(this.kubelet, 'pods', this.pod.metadata.uid!, 'volumes/kubernetes.io~empty-dir');
    return existsSync(join(volumes, 'public/domain-notify-pipe.sock'));
  }

  public async events(): Promise<string[]> {
    const list = await user.list<KubeObject & { reason: string; message: string; involvedObject: { name: string } }>(
      resources.events,
    );
    return list.items.filter((e) => e.involvedObject.name === this.name).map((e) => `${e.reason}: ${e.message}`);
  }

  public get vmiWrites(): number {
    return this.writes.filter((write) => write.endsWith('virtualmachineinstances')).length;
  }

  public async close(): Promise<void> {
    await this.stopHandler();
    await this.launcher.close();
    await user.patch(resources.virtualMachineInstances, this.ref, { metadata: { finalizers: null } }, 'merge');
    await user.delete(resources.virtualMachineInstances, this.ref).catch(() => {});
    const pod = { namespace: 'default', name: this.pod.metadata.name! };
    await user.delete(resources.pods, pod, { gracePeriodSeconds: 0 }).catch(() => {});
    await this.container.close();
    rmSync(this.kubelet, { recursive: true, force: true });
  }
}

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.close());

/** The usual beginning: everything is there and the guest runs. */
async function running(spec: object = {}): Promise<void> {
  await scene.set(spec);
  scene.startHandler();
  await scene.podRuns();
  await scene.launcher.start();
  await scene.phase('Running');
}

test('a Pod that runs becomes a Running VMI with one write', async () => {
  await running();
  const vmi = await scene.vmi();
  expect(vmi.metadata.labels).toEqual({ 'kubevirt.io/nodeName': NODE });
  expect(vmi.status).toMatchObject({
    phase: 'Running',
    nodeName: NODE,
    activePods: { [scene.pod.metadata.uid!]: NODE },
    qosClass: 'Burstable',
    launcherContainerImageVersion: 'virt-launcher:test',
    machine: { type: 'pc-q35-10.0' },
    currentCPUTopology: { sockets: 1, cores: 1, threads: 1 },
    memory: { guestAtBoot: '256Mi', guestCurrent: '256Mi', guestRequested: '256Mi' },
    guestOSInfo: {},
    migrationMethod: 'LiveMigration',
    volumeStatus: [{ name: 'root', target: 'vda' }],
    interfaces: [
      {
        name: 'default',
        ipAddress: '10.97.1.2',
        ipAddresses: ['10.97.1.2', 'fd97:1::2'],
        podInterfaceName: 'eth0',
        infoSource: 'domain',
        queueCount: 1,
        linkState: 'up',
      },
    ],
  });
  expect(vmi.status?.phaseTransitionTimestamps?.map(({ phase }) => phase)).toEqual([
    'Pending',
    'Scheduling',
    'Scheduled',
    'Running',
  ]);
  const conditions = Object.fromEntries((vmi.status?.conditions ?? []).map((c) => [c.type, c.status]));
  expect(conditions).toEqual({ Ready: 'True', LiveMigratable: 'False', StorageLiveMigratable: 'False' });
  expect(scene.launcher.synced).toHaveLength(1);
  expect(scene.launcher.synced[0].options.podInterfaces).toMatchObject([{ tap: 'tap0', guestIPv4: '10.0.2.2/24' }]);
  // any other pending write would be sent before the next change
  scene.launcher.tell({ ...scene.launcher.domain, status: 'Paused', reason: 'User' });
  await scene.condition('Paused', { status: 'True' });
  expect(scene.vmiWrites).toBe(2);
  expect(await scene.events()).toEqual(['Started: VirtualMachineInstance started.']);
});

test('an idle guest costs no write, and a changed one costs one', async () => {
  await running();
  scene.writes = [];
  for (let i = 0; i < 3; i++) scene.launcher.tell(scene.launcher.domain); // the same again
  const agent = { connected: true, version: '10.0' };
  const os = { name: 'Debian GNU/Linux', id: 'debian' };
  scene.launcher.tell({ ...scene.launcher.domain, agent, os });
  const vmi = await scene.condition('AgentConnected', { status: 'True' });
  expect(vmi.status?.guestOSInfo).toEqual(os);
  expect(scene.writes.filter((write) => !write.endsWith('events'))).toEqual(['PATCH virtualmachineinstances']);
});

test('a failed start is reported on the VMI and in an event, and continues automatically when the cause is resolved', async () => {
  await scene.set();
  const cause = 'disk "root": no disk.img in PVC "x"; import it again';
  scene.launcher.onSync = () => ({ success: false, reason: 'DiskMissing', message: cause });
  scene.startHandler();
  await scene.podRuns();
  await scene.launcher.start();
  const vmi = await scene.condition('Synchronized', { status: 'False', reason: 'DiskMissing', message: cause });
  expect(vmi.status?.phase).toBe('Scheduled');
  await eventually(async () => expect(await scene.events()).toEqual([`DiskMissing: ${cause}`]));
  await eventually(() => expect(scene.launcher.synced.length).toBeGreaterThan(2));
  expect(scene.vmiWrites).toBe(1); // retried, reported once
  scene.launcher.onSync = () => ({ success: true });
  await scene.phase('Running');
  await scene.condition('Synchronized', undefined);
});

test('a deleted VMI: power button, kill after the grace period, and no write', async () => {
  await running();
  scene.launcher.onShutdown = () => {}; // the guest does not listen
  scene.writes = [];
  const asked = Date.now();
  await user.delete(resources.virtualMachineInstances, scene.ref);
  await eventually(() => expect(scene.launcher.calls).toContain('kill'));
  expect(Date.now() - asked).toBeGreaterThan(950);
  expect(scene.launcher.calls.indexOf('shutdown')).toBeLessThan(scene.launcher.calls.indexOf('kill'));
  await eventually(() => expect(scene.launcher.calls).toContain('end'));
  await scene.podEnds(0);
  await eventually(() => expect(scene.isHeard).toBe(false)); // the handler has released the Pod
  expect(scene.vmiWrites).toBe(0);
});

test('a launcher that cannot stop its guest reports why in an event, and the stop is repeated', async () => {
  await running();
  let refusals = 0;
  scene.launcher.onShutdown = () => {
    refusals++;
    throw new Error('libvirtd does not answer');
  };
  await user.delete(resources.virtualMachineInstances, scene.ref);
  const event = /^StopFailed: the launcher failed at "shutdown": .*libvirtd does not answer; virt-handler retries/;
  await eventually(async () => expect(await scene.events()).toContainEqual(expect.stringMatching(event)));
  await eventually(() => expect(scene.launcher.calls).toContain('end'));
  expect(refusals).toBeGreaterThan(0);
  expect(scene.launcher.calls).toContain('kill');
});

test('a deleted VMI whose guest obeys is not killed', async () => {
  await running({ terminationGracePeriodSeconds: 30 });
  await user.delete(resources.virtualMachineInstances, scene.ref);
  await eventually(() => expect(scene.launcher.calls).toContain('end'));
  expect(scene.launcher.calls).not.toContain('kill');
});

test('a launcher that has left when it is asked to end has not failed', async () => {
  await running({ terminationGracePeriodSeconds: 30 });
  scene.launcher.onEnd = () => {
    void scene.launcher.stop();
    throw new GrpcError(GrpcStatus.UNAVAILABLE, 'the connection was closed');
  };
  await user.delete(resources.virtualMachineInstances, scene.ref);
  await eventually(() => expect(scene.launcher.calls).toContain('end'));
  await scene.podEnds(0);
  await eventually(() => expect(scene.isHeard).toBe(false));
  expect((await scene.events()).join()).not.toContain('StopFailed');
});

test('a VMI deleted before its guest was started never starts it', async () => {
  await scene.set();
  await user.delete(resources.virtualMachineInstances, scene.ref);
  scene.startHandler();
  await scene.podRuns();
  await scene.launcher.start();
  await eventually(() => expect(scene.launcher.calls).toContain('end'));
  expect(scene.launcher.calls).not.toContain('sync');
});

test.each([
  [
    'powers off',
    { status: 'Shutoff', reason: 'Shutdown' } as const,
    'Succeeded',
    'Stopped: The VirtualMachineInstance was shut down.',
  ],
  [
    'crashes',
    { status: 'Shutoff', reason: 'Crashed' } as const,
    'Failed',
    "GuestCrashed: the guest ended unexpectedly (Crashed); see the log of the launcher Pod's compute container",
  ],
])('a guest that %s on its own ends its VMI', async (_, state, phase, event) => {
  await running();
  scene.launcher.tell(state);
  await scene.phase(phase);
  await eventually(async () => expect(await scene.events()).toContain(event));
  await scene.condition('Ready', { status: 'False', reason: 'GuestNotRunning' });
});

test('a Pod that ends without a report ends its VMI by its exit code', async () => {
  await running();
  await scene.podEnds(1);
  await scene.phase('Failed');
});

test('pause and unpause are reported', async () => {
  await running();
  scene.launcher.tell({ ...scene.launcher.domain, status: 'Paused', reason: 'User' });
  await scene.condition('Paused', { status: 'True', reason: 'PausedByUser' });
  await scene.condition('Ready', { status: 'False' });
  scene.launcher.tell({ ...scene.launcher.domain, status: 'Running', reason: 'Unknown' });
  await scene.condition('Paused', undefined);
  await scene.condition('Ready', { status: 'True' });
});

test('fields of a changed spec that a running guest does not have are reported with the remedy, until they are changed back', async () => {
  await running();
  scene.launcher.onSync = () => ({ success: true, notApplied: ['spec.domain.memory.guest', 'no field'] });
  const change = (guest: string): Promise<unknown> =>
    user.patch(resources.virtualMachineInstances, scene.ref, { spec: { domain: { memory: { guest } } } }, 'merge');
  await change('512Mi');
  const message =
    'the running guest keeps what it was started with, changed since: spec.domain.memory.guest; restart the VM';
  await scene.condition('Synchronized', { status: 'False', reason: 'SpecNotApplied', message });
  await eventually(async () => expect(await scene.events()).toContain(`SpecNotApplied: ${message}`));
  expect(scene.launcher.synced.at(-1)?.vmi.spec.domain.memory).toEqual({ guest: '512Mi' });
  // a restarted handler asks again, and has nothing new to write
  await scene.stopHandler();
  scene.writes = [];
  scene.launcher.calls.length = 0;
  scene.startHandler();
  await eventually(() => expect(scene.launcher.calls).toContain('sync'));
  scene.launcher.tell({ ...scene.launcher.domain, status: 'Paused', reason: 'User' });
  await scene.condition('Paused', { status: 'True' });
  await scene.condition('Synchronized', { status: 'False', reason: 'SpecNotApplied', message });
  expect(scene.vmiWrites).toBe(1);
  scene.launcher.onSync = () => ({ success: true });
  await change('256Mi');
  await scene.condition('Synchronized', undefined);
});

test('a launcher that cannot observe its guest reports it on the VMI', async () => {
  await running();
  const trouble = { reason: 'LibvirtUnresponsive', message: 'libvirtd does not answer' };
  scene.launcher.tell({ ...scene.launcher.domain, trouble });
  const vmi = await scene.condition('Synchronized', { status: 'False', ...trouble });
  expect(vmi.status?.phase).toBe('Running');
  scene.launcher.tell({ ...scene.launcher.domain, trouble: undefined });
  await scene.condition('Synchronized', undefined);
});

test('a handler that restarts finds its guest running and writes nothing', async () => {
  await running();
  await scene.stopHandler();
  scene.writes = [];
  scene.launcher.calls.length = 0;
  scene.startHandler();
  await eventually(() => expect(scene.launcher.calls).toContain('sync'));
  expect(await scene.phase('Running')).toBeTruthy();
  // it hears of changes again, and this is its first write
  scene.launcher.tell({ ...scene.launcher.domain, status: 'Paused', reason: 'User' });
  await scene.condition('Paused', { status: 'True' });
  expect(scene.vmiWrites).toBe(1);
});

test('a guest that powered off while no handler ran is reported as succeeded and not started again', async () => {
  await running();
  await scene.stopHandler();
  scene.launcher.tell({ status: 'Shutoff', reason: 'Shutdown' });
  scene.launcher.calls.length = 0;
  scene.startHandler();
  await scene.phase('Succeeded');
  expect(scene.launcher.calls).not.toContain('sync');
});

test('the handler finds a restarted launcher process, and the VMI does not change', async () => {
  await running();
  scene.writes = [];
  await scene.launcher.stop();
  scene.launcher.calls.length = 0;
  await scene.launcher.start();
  await eventually(() => expect(scene.launcher.calls).toContain('getDomain'));
  scene.launcher.tell({ ...scene.launcher.domain, status: 'Paused', reason: 'User' });
  await scene.condition('Paused', { status: 'True' });
  expect(scene.vmiWrites).toBe(1);
});

test.each([
  ['the reference of a VMI that is gone', 'fake', '99999999-0000-4000-8000-000000000000'],
  ['a copied owner reference', 'fake', undefined],
])('a Pod of another owner with the launcher’s label and %s is ignored', async (_, name, uid) => {
  await scene.set();
  scene.startHandler();
  const { metadata } = scene.pod;
  const owner = metadata.ownerReferences![0];
  const fake = {
    ...scene.pod,
    metadata: {
      ...metadata,
      name,
      uid: undefined,
      resourceVersion: undefined,
      ownerReferences: [{ ...owner, uid: uid ?? owner.uid }],
    },
  };
  await user.create(resources.pods, fake as Pod);
  const ref = { namespace: 'default', name };
  try {
    await user.patch(resources.pods, { ...ref, subresource: 'status' }, { status: { phase: 'Failed' } }, 'merge');
    // the handler has seen the fake, which was there before, when it has taken over the VMI's own Pod
    await scene.podRuns();
    await scene.launcher.start();
    await scene.phase('Running');
    expect((await scene.vmi()).status?.activePods).toEqual({ [metadata.uid!]: NODE });
    expect(scene.vmiWrites).toBe(1);
  } finally {
    await user.delete(resources.pods, ref, { gracePeriodSeconds: 0 });
  }
});

test('a launcher that names another VMI in its reports and events changes only its own', async () => {
  await running();
  const other = new Scene(scene.kubelet);
  try {
    await other.set();
    await other.podRuns();
    await other.launcher.start();
    await other.phase('Running');
    await eventually(async () => expect(await other.events()).toHaveLength(1));
    const before = await other.vmi();
    const { name, namespace, uid } = before.metadata;
    const named = { name, namespace, uid, metadata: before.metadata, vmi: before };
    const about = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name, namespace, uid };
    await scene.launcher.send(
      { ...scene.launcher.domain, ...named, status: 'Paused', reason: 'User' },
      { ...named, involvedObject: about, regarding: about, type: 'Warning', reason: 'Fake', message: 'of a launcher' },
    );
    await scene.condition('Paused', { status: 'True' });
    await eventually(async () => expect(await scene.events()).toContain('Fake: of a launcher'));
    expect(await other.vmi()).toEqual(before);
    expect(await other.events()).toEqual(['Started: VirtualMachineInstance started.']);
  } finally {
    await scene.stopHandler();
    await other.close();
  }
});
