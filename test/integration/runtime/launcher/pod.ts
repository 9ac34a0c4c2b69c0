/**
 * A launcher Pod without Kubernetes: the image under crun with its own network namespace, uid 107 and volumes like a
 * kubelet's, and a phase 1 made by hand. The parts of virt-handler that tests need are here too: the notify socket.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VirtualMachineInstance } from '../../../../src/api';
import {
  CmdDefinition,
  type DomainState,
  GrpcClient,
  GrpcServer,
  NotifyDefinition,
  type PodInterface,
} from '../../../../src/runtime/protocol';
import { PATIENCE_MS, sleep } from '../../../support/patience';
import { unpackedImage } from './image';

export const LAUNCHER = 'localhost/virt8s/virt-launcher:dev';
export const TINY = 'localhost/virt8s/tiny:latest';

const CAPS = ['CAP_NET_BIND_SERVICE'];
const GUEST_MAC = '02:11:22:33:44:55';

export const podInterface: PodInterface = {
  network: 'default',
  binding: 'masquerade',
  tap: 'tap0',
  bridge: 'k6t-eth0',
  mac: GUEST_MAC,
  mtu: 1500,
  guestIPv4: '10.0.2.2/24',
  gatewayIPv4: '10.0.2.1',
  dhcpServer: '10.0.2.1',
};

/** A VMI like the webhook leaves it: one container disk, cloud-init, masquerade. */
export function tinyVmi(change: (vmi: VirtualMachineInstance) => void = () => {}): VirtualMachineInstance {
  const vmi: VirtualMachineInstance = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'tiny', namespace: 'default', uid: '11111111-2222-4333-8444-555555555555' },
    spec: {
      architecture: 'amd64',
      terminationGracePeriodSeconds: 30,
      domain: {
        cpu: { cores: 1, sockets: 1, threads: 1, model: 'host-model' },
        memory: { guest: '128Mi' },
        machine: { type: 'q35' },
        firmware: { uuid: '5d307ca9-b3ef-428c-8861-06e72d69f223' },
        features: { acpi: { enabled: true } },
        devices: {
          disks: [
            { name: 'root', disk: { bus: 'virtio' } },
            { name: 'cloudinit', disk: { bus: 'virtio' } },
          ],
          interfaces: [{ name: 'default', masquerade: {} }],
          rng: {},
        },
      },
      networks: [{ name: 'default', pod: {} }],
      volumes: [
        { name: 'root', containerDisk: { image: TINY } },
        { name: 'cloudinit', cloudInitNoCloud: { userData: '#cloud-config\nruncmd:\n  - echo cloud-init was here\n' } },
      ],
    },
  };
  change(vmi);
  return vmi;
}

const sh = (command: string, ...args: string[]): string => execFileSync(command, args, { encoding: 'utf8' });

/** Time in which a busy guest answers a request. */
const ANSWER_MS = 15_000;

export class LauncherPod {
  readonly directory = mkdtempSync(join(tmpdir(), 'virt8s-pod-'));
  readonly id = `virt8s-test-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  readonly states: DomainState[] = [];
  private readonly client: GrpcClient;
  private notify: GrpcServer | undefined;
  private process: ChildProcess | undefined;
  private output = '';
  exitCode: number | null | undefined;

  constructor() {
    chmodSync(this.directory, 0o755);
    for (const name of ['private', 'public', 'sockets', 'libvirt', 'ephemeral', 'upper', 'work', 'rootfs', 'dev']) {
      mkdirSync(join(this.directory, name));
    }
    for (const name of ['private', 'public', 'sockets', 'libvirt', 'ephemeral']) {
      chownSync(join(this.directory, name), 107, 107);
      chmodSync(join(this.directory, name), 0o2777);
    }
    writeFileSync(join(this.directory, 'termination-log'), '', { mode: 0o666 });
    chmodSync(join(this.directory, 'termination-log'), 0o666);
    writeFileSync(
      join(this.directory, 'resolv.conf'),
      'nameserver 10.96.0.10\nsearch default.svc.cluster.local svc.cluster.local\n',
    );
    writeFileSync(join(this.directory, 'hosts'), '127.0.0.1 localhost\n127.0.1.1 tiny\n');
    this.client = new GrpcClient(this.path('sockets/launcher-sock'), { defaultTimeoutMs: PATIENCE_MS });
  }

  path(name: string): string {
    return join(this.directory, name);
  }

  get cmd() {
    return this.client.service(CmdDefinition);
  }

  get log(): string {
    return this.output;
  }

  get terminationMessage(): string {
    return readFileSync(this.path('termination-log'), 'utf8');
  }

  /** Prepares a start as virt-handler does: bridge, tap, and the route for DHCP answers. */
  private phase1(): void {
    sh('ip', 'netns', 'add', this.id);
    const batch = [
      'link set lo up',
      'link add name k6t-eth0 type bridge forward_delay 0',
      'tuntap add dev tap0 mode tap user 107 group 107',
      'link set dev tap0 master k6t-eth0',
      'addr add 10.0.2.1/24 dev k6t-eth0',
      'link set dev tap0 up',
      'link set dev k6t-eth0 up',
      'route add 255.255.255.255/32 dev k6t-eth0',
    ];
    execFileSync('ip', ['-n', this.id, '-batch', '-'], { input: batch.join('\n') });
  }

  async listenNotify(): Promise<void> {
    this.notify = new GrpcServer();
    this.notify.add(NotifyDefinition, {
      handleDomainEvent: ({ domainJSON }) => {
        this.states.push(JSON.parse(Buffer.from(domainJSON ?? []).toString()) as DomainState);
        return { success: true };
      },
      handleK8sEvent: () => ({ success: true }),
    });
    await this.notify.listen(this.path('public/domain-notify-pipe.sock'), 0o666);
  }

  async closeNotify(): Promise<void> {
    await this.notify?.close();
    this.notify = undefined;
  }

  /** Runs the container. */
  async start(args: string[] = [], images: string[] = [TINY]): Promise<void> {
    this.phase1();
    await this.listenNotify();
    const image = unpackedImage(LAUNCHER);
    writeFileSync(this.path('config.json'), JSON.stringify(this.ociConfig(args, images)));
    const script = [
      'set -e',
      'umount /sys/fs/cgroup/unified 2>/dev/null || true',
      `mount -t overlay overlay -o lowerdir=${image},upperdir=${this.path('upper')},workdir=${this.path('work')} ${this.path('rootfs')}`,
      `exec crun --root ${this.path('crun')} --cgroup-manager=disabled run --no-pivot --bundle ${this.directory} ${this.id}`,
    ];
    this.process = spawn('unshare', ['--mount', 'sh', '-c', script.join('\n')], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.process.stdout!, this.process.stderr!]) {
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
    this.process.once('exit', (code) => (this.exitCode = code));
    await this.until('the command socket', () => existsSync(this.path('sockets/launcher-sock')));
  }

  private ociConfig(args: string[], images: string[]): object {
    const bind = (source: string, destination: string, ...options: string[]) => ({
      destination,
      source,
      type: 'bind',
      options: ['rbind', ...options],
    });
    const uid = tinyVmi().metadata.uid!;
    return {
      ociVersion: '1.0.2',
      process: {
        user: { uid: 107, gid: 107, umask: 0o022 },
        args: [
          '/usr/bin/virt-launcher-monitor',
          '--qemu-timeout',
          '240s',
          '--name',
          'tiny',
          '--uid',
          uid,
          '--run-as-nonroot',
          ...args,
        ],
        env: ['PATH=/usr/sbin:/usr/bin', 'XDG_RUNTIME_DIR=/var/run', ...(process.env.POD_ENV?.split(';') ?? [])],
        cwd: '/',
        noNewPrivileges: true,
        capabilities: { bounding: CAPS, effective: CAPS, permitted: CAPS },
      },
      root: { path: this.path('rootfs') },
      hostname: 'tiny',
      mounts: [
        { destination: '/proc', type: 'proc', source: 'proc' },
        { destination: '/sys', type: 'sysfs', source: 'sysfs', options: ['nosuid', 'noexec', 'nodev', 'ro'] },
        {
          destination: '/dev',
          type: 'tmpfs',
          source: 'tmpfs',
          options: ['nosuid', 'strictatime', 'mode=755', 'size=65536k'],
        },
        {
          destination: '/dev/pts',
          type: 'devpts',
          source: 'devpts',
          options: ['nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620'],
        },
        {
          destination: '/dev/shm',
          type: 'tmpfs',
          source: 'shm',
          options: ['nosuid', 'noexec', 'nodev', 'mode=1777', 'size=65536k'],
        },
        { destination: '/tmp', type: 'tmpfs', source: 'tmp', options: ['mode=1777'] },
        bind(this.path('termination-log'), '/dev/termination-log'),
        bind(this.path('resolv.conf'), '/etc/resolv.conf', 'ro'),
        bind(this.path('hosts'), '/etc/hosts', 'ro'),
        bind(this.path('private'), '/var/run/kubevirt-private'),
        bind(this.path('public'), '/var/run/kubevirt'),
        bind(this.path('sockets'), '/var/run/kubevirt/sockets'),
        bind(this.path('libvirt'), '/var/run/libvirt'),
        bind(this.path('ephemeral'), '/var/run/kubevirt-ephemeral-disks'),
        ...images.map((ref, i) => bind(unpackedImage(ref), `/var/run/kubevirt-image-volume/disk_${i}`, 'ro')),
      ],
      linux: {
        devices: [{ path: '/dev/net/tun', type: 'c', major: 10, minor: 200, fileMode: 0o666 }],
        namespaces: [
          ...['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
          { type: 'network', path: `/run/netns/${this.id}` },
        ],
        maskedPaths: ['/proc/kcore', '/proc/keys'],
      },
    };
  }

  /** SyncVirtualMachine, as virt-handler calls it. */
  sync(vmi: VirtualMachineInstance, interfaces: PodInterface[] = [podInterface]) {
    const request = { vmi: { vmiJson: Buffer.from(JSON.stringify(vmi)) }, options: { podInterfaces: interfaces } };
    return this.cmd.syncVirtualMachine(request);
  }

  async domain(): Promise<DomainState | undefined> {
    const { domain } = await this.cmd.getDomain({});
    return domain ? (JSON.parse(domain) as DomainState) : undefined;
  }

  /** Waits; the error shows the log's end. */
  async until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!(await Promise.resolve(condition()).catch(() => false))) {
      if (this.exitCode !== undefined)
        throw new Error(`the Pod ended (${this.exitCode}) before ${what}\n${this.output.slice(-3000)}`);
      if (Date.now() > deadline) throw new Error(`there is no ${what}\n${this.output.slice(-3000)}`);
      // eslint-disable-next-line virt8s/patience -- between two looks, which end with PATIENCE_MS
      await sleep(50);
    }
  }

  serialLog(): string {
    const file = this.path(`private/${tinyVmi().metadata.uid}/virt-serial0-log`);
    return existsSync(file) ? readFileSync(file, 'latin1') : '';
  }

  /** Types a line on the serial console and waits for what matches. */
  async console(line: string, pattern: RegExp): Promise<RegExpExecArray> {
    const socket = connect(this.path(`private/${tinyVmi().metadata.uid}/virt-serial0`));
    let seen = '';
    socket.on('data', (chunk) => (seen += chunk.toString('latin1')));
    socket.on('error', () => {});
    try {
      socket.write(`${line}\n`);
      const deadline = Date.now() + PATIENCE_MS;
      for (;;) {
        const match = pattern.exec(seen);
        if (match) return match;
        if (Date.now() > deadline)
          throw new Error(`the console does not show ${pattern}: ${JSON.stringify(seen.slice(-500))}`);
        // eslint-disable-next-line virt8s/patience -- between two looks, which end with PATIENCE_MS
        await sleep(50);
      }
    } finally {
      socket.destroy();
    }
  }

  /** Identity of a boot of the guest. */
  async bootId(): Promise<string> {
    return (await this.console('echo boot=$(cat /proc/sys/kernel/random/boot_id)', /boot=([0-9a-f-]{36})/))[1]!;
  }

  /** Sends and receives through the port forwarding socket. */
  forward(line: string, request: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.path('sockets/portforward-sock'));
      let seen = '';
      socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error(`no answer: ${seen}`)));
      socket.on('data', (chunk) => (seen += chunk.toString('latin1')));
      socket.on('error', reject);
      socket.on('close', () => resolve(seen));
      socket.write(`${line}\n${request}`);
    });
  }

  /** Host PIDs of the Pod's processes of that name. */
  pids(name: string): number[] {
    const mine = sh('ip', 'netns', 'pids', this.id).trim().split('\n').filter(Boolean).map(Number);
    return mine.filter((pid) => {
      try {
        const [command] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return command!.split('/').at(-1) === name;
      } catch {
        return false;
      }
    });
  }

  /** Kibibytes of proportional memory by process name. */
  memory(): { name: string; pss: number; private: number }[] {
    const mine = sh('ip', 'netns', 'pids', this.id).trim().split('\n').filter(Boolean);
    return mine.map((pid) => {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0);
      const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return {
        name: args[0]!.split('/').at(-1)! + (args[0] === 's6-supervise' ? ` ${args[1]}` : ''),
        pss: field('Pss'),
        private: field('Private_Clean') + field('Private_Dirty'),
      };
    });
  }

  /** Runs a program in the container, as a kubelet does for an exec probe. */
  exec(...command: string[]): { code: number | null; output: string } {
    const user = ['--user', '107:107', '--no-new-privs'];
    const { status, stdout, stderr } = spawnSync(
      'crun',
      ['--root', this.path('crun'), '--cgroup-manager=disabled', 'exec', ...user, this.id, ...command],
      { encoding: 'utf8' },
    );
    return { code: status, output: stdout + stderr };
  }

  /** Ends the Pod as the kubelet does: SIGTERM to PID 1. */
  terminate(signal: NodeJS.Signals = 'SIGTERM'): void {
    sh('crun', '--root', this.path('crun'), 'kill', this.id, signal);
  }

  async ended(): Promise<number | null> {
    const deadline = Date.now() + PATIENCE_MS;
    while (this.exitCode === undefined) {
      if (Date.now() > deadline) throw new Error(`the Pod does not end\n${this.output.slice(-3000)}`);
      // eslint-disable-next-line virt8s/patience -- between two looks, which end with PATIENCE_MS
      await sleep(50);
    }
    return this.exitCode;
  }

  /** Ends everything, in any state. */
  async destroy(): Promise<void> {
    this.client.close();
    await this.closeNotify();
    try {
      sh('crun', '--root', this.path('crun'), 'delete', '--force', this.id);
    } catch {
      // it has ended on its own
    }
    this.process?.kill('SIGKILL');
    try {
      for (const pid of sh('ip', 'netns', 'pids', this.id).trim().split('\n').filter(Boolean))
        process.kill(Number(pid), 'SIGKILL');
      sh('ip', 'netns', 'del', this.id);
    } catch {
      // was not made
    }
    rmSync(this.directory, { recursive: true, force: true });
  }

  files(name: string): string[] {
    return readdirSync(this.path(name));
  }
}
