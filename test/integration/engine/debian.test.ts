/** @needs guest @tier all */
import { execFileSync } from 'node:child_process';
import { eventually, TestEngine } from '../../support/engine';
import { GuestSsh } from '../../support/guest-ssh';

const userData = (sshKey: string): string => `#cloud-config
hostname: trixie
users:
  - name: jdoe
    shell: /bin/bash
    sudo: ALL=(ALL) NOPASSWD:ALL
    ssh_authorized_keys: ["${sshKey}"]
write_files:
  - path: /etc/written
    permissions: '0640'
    content: by cloud-init
runcmd:
  - [sh, -c, 'echo "by $(id -un)" >/var/lib/ran']
`;

/** As upstream's guests do, the guest chooses its own IPv6 address behind the masquerade. */
const networkData = `version: 2
ethernets:
  eth0:
    dhcp4: true
    addresses: ['fd10:0:2::2/120']
    routes: [{ to: default, via: 'fd10:0:2::1' }]
`;

const debianVm = (sshKey: string): object => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'debian', namespace: 'default' },
  spec: {
    runStrategy: 'Always',
    template: {
      metadata: { labels: { app: 'debian' } },
      spec: {
        // far more than a guest takes that shuts down when it is asked to
        terminationGracePeriodSeconds: 3_600,
        readinessProbe: { guestAgentPing: {}, periodSeconds: 2, timeoutSeconds: 30, failureThreshold: 2 },
        domain: {
          memory: { guest: '512Mi' },
          firmware: { bootloader: { efi: { secureBoot: false, persistent: true } } },
          devices: {
            tpm: { persistent: true },
            disks: [
              { name: 'root', disk: { bus: 'virtio' } },
              { name: 'scratch', disk: { bus: 'virtio' }, serial: 'scratch' },
              { name: 'cloudinit', disk: { bus: 'virtio' } },
            ],
            interfaces: [{ name: 'default', masquerade: {} }],
          },
        },
        networks: [{ name: 'default', pod: {} }],
        volumes: [
          { name: 'root', containerDisk: { image: 'localhost/virt8s/debian:latest' } },
          { name: 'scratch', emptyDisk: { capacity: '64Mi' } },
          { name: 'cloudinit', cloudInitNoCloud: { userData: userData(sshKey), networkData } },
        ],
      },
    },
  },
});

/** A general-purpose guest: real cloud-init, systemd, OpenSSH and QEMU's guest agent. */
describe('a Debian guest', () => {
  let engine: TestEngine;
  let ssh: GuestSsh;

  beforeAll(async () => {
    // the only suite with this guest builds it
    execFileSync('node_modules/.bin/tsx', ['scripts/images.ts', 'debian'], { stdio: 'pipe' });
    engine = await TestEngine.start();
    ssh = new GuestSsh(engine);
    await engine.mustApply(debianVm(ssh.publicKey));
    await engine.vmBecomes('debian', 'Running');
    await cloudInitDone();
  });
  afterAll(async () => {
    ssh?.remove();
    await engine.down();
    expect(await engine.leftovers()).toEqual([]);
  });

  const inGuest = (command: string): Promise<string> => ssh.output('jdoe@vm/debian', command);
  /** cloud-init has ended, without a complaint. */
  const cloudInitDone = (): Promise<void> =>
    eventually(async () => expect(await inGuest('cloud-init status --wait')).toMatch(/status: done$/), {
      everyMs: 3_000,
    });
  const vmi = (): ReturnType<TestEngine['get']> => engine.get('vmi', 'debian');
  const conditions = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await vmi()).status.conditions.map((each: { type: string; status: string }) => [each.type, each.status]),
    );
  const becomesReady = (ready: string): Promise<void> =>
    eventually(async () => expect(await conditions()).toMatchObject({ Ready: ready }), { everyMs: 500 });
  /** Messages of failed probes. */
  const unhealthy = async (): Promise<string[]> =>
    (await engine.list('events'))
      .filter(({ reason }: { reason: string }) => reason === 'Unhealthy')
      .map(({ message }: { message: string }) => message);
  const query = async (name: string): ReturnType<TestEngine['get']> => {
    const { code, stdout, stderr } = await engine.virt8s(name, 'debian');
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };

  test('is configured by cloud-init: name, user, files, commands', async () => {
    expect(await inGuest('hostname')).toBe('trixie');
    expect(await inGuest('sudo cat /etc/written')).toBe('by cloud-init');
    expect(await inGuest('stat -c %a /etc/written')).toBe('640');
    expect(await inGuest('cat /var/lib/ran')).toBe('by root');
    expect(await inGuest('systemctl --failed --no-legend')).toBe('');
  });

  test('boots by EFI', async () => {
    expect(await inGuest('ls -d /sys/firmware/efi')).toBe('/sys/firmware/efi');
  });

  test('has an empty disk that it can format', async () => {
    const disk = '/dev/disk/by-id/virtio-scratch';
    expect(await inGuest(`lsblk --noheadings --bytes --output SIZE ${disk}`)).toBe(String(64 << 20));
    await inGuest(`sudo mkfs.ext4 -q ${disk} && sudo mount ${disk} /mnt && echo kept | sudo tee /mnt/file`);
    expect(await inGuest('cat /mnt/file')).toBe('kept');
  });

  test('reports on itself through its agent', async () => {
    await eventually(async () => expect(await conditions()).toMatchObject({ AgentConnected: 'True' }), {
      everyMs: 1_000,
    });
    await eventually(async () => expect((await vmi()).status.guestOSInfo).toMatchObject({ id: 'debian' }), {
      everyMs: 500,
    });
    expect((await vmi()).status.guestOSInfo).toMatchObject({ name: 'Debian GNU/Linux', versionId: '13' });

    const info = await query('guestosinfo');
    expect(info).toMatchObject({ hostname: 'trixie', os: { id: 'debian' }, fsInfo: { disks: expect.any(Array) } });
    expect(info.supportedCommands).toContainEqual({ name: 'guest-fsfreeze-freeze', enabled: true });
    const { items } = await query('fslist');
    expect(items).toContainEqual(expect.objectContaining({ mountPoint: '/', fileSystemType: 'ext4' }));
    expect(items).toContainEqual(
      expect.objectContaining({ mountPoint: '/mnt', disk: [{ serial: 'scratch', busType: 'virtio' }] }),
    );
    expect(await query('userlist')).toMatchObject({ items: expect.any(Array) });
  });

  test('is ready while its agent responds', async () => {
    await becomesReady('True');
    await inGuest('sudo systemctl stop qemu-guest-agent');
    await becomesReady('False');
    expect(await unhealthy()).toContain(
      'Readiness probe failed: the guest agent is not connected; install qemu-guest-agent in the guest\n',
    );
    await inGuest('sudo systemctl start qemu-guest-agent');
    await becomesReady('True');
    expect((await engine.get('vm', 'debian')).status.ready).toBe(true);
  });

  test('is shown with the addresses of its Pod, at which it is reached, regardless of what its agent reports', async () => {
    const pod = (await engine.list('pods', '-l', 'vm.kubevirt.io/name=debian'))[0];
    const ips = pod.status.podIPs.map(({ ip }: { ip: string }) => ip);
    await eventually(
      async () =>
        expect((await vmi()).status.interfaces).toEqual([
          expect.objectContaining({
            infoSource: 'domain, guest-agent',
            interfaceName: 'eth0',
            ipAddress: ips[0],
            ipAddresses: ips,
          }),
        ]),
      { everyMs: 1_000 },
    );
    // an address that only the guest claims is no way to it: nothing of ours connects there
    await inGuest('sudo ip address add 127.0.0.2/32 dev eth0 && sudo ip address add 10.0.2.99/32 dev eth0');
    expect(await inGuest('hostname')).toBe('trixie');
    expect((await vmi()).status.interfaces[0].ipAddresses).toEqual(ips);
  });

  test('is reached and reaches out by IPv6', async () => {
    const [, ipv6] = (await vmi()).status.interfaces[0].ipAddresses;
    const { stdout } = await engine.run('bash', ['-c', `exec 3<>/dev/tcp/${ipv6}/22 && head -n 1 <&3`]);
    expect(stdout).toMatch(/^SSH-2\.0-OpenSSH/);
    const [node] = await engine.list('node');
    const gateway = node.status.addresses.find((each: { address: string }) => each.address.includes(':')).address;
    expect(await inGuest(`ping -6 -c 1 -W 60 ${gateway}`)).toContain('1 received');
  });

  test('resolves names of the cluster', async () => {
    const address = (await engine.get('service', 'kubernetes')).spec.clusterIP;
    expect(await inGuest('getent ahostsv4 kubernetes.default.svc.cluster.local')).toContain(address);
  });

  const VARIABLE = '/sys/firmware/efi/efivars/Kept-5b7ec2a1-3f0c-4d57-9a44-6f1c0c1d2e3f';
  /** Number of starts that the TPM remembers: resetCount of TPM2_ReadClock. */
  const resets = async (): Promise<number> => {
    const script = [
      'import os; tpm = os.open("/dev/tpm0", os.O_RDWR)',
      'os.write(tpm, bytes.fromhex("80010000000a00000181"))',
      'print(int.from_bytes(os.read(tpm, 64)[26:30], "big"))',
    ];
    return Number(await inGuest(`sudo python3 -c '${script.join('; ')}'`));
  };
  let startsBefore: number;

  test('has a claim for its EFI variables and the state of its TPM', async () => {
    // attributes: non-volatile, for boot services and the running system
    await inGuest(`printf '\\007\\0\\0\\0kept' | sudo tee ${VARIABLE} >/dev/null`);
    startsBefore = await resets();
    const [claim] = await engine.list('pvc', '-l', 'persistent-state-for=debian');
    expect(claim.status.phase).toBe('Bound');
  });

  test('shuts down within its grace period on request', async () => {
    await inGuest(
      `sudo sh -c 'printf "[Service]\\nType=oneshot\\nRemainAfterExit=yes\\nExecStart=true\\nExecStop=sh -c \\"echo bye >/dev/ttyS0\\"\\n" ` +
        `>/run/systemd/system/bye.service && systemctl daemon-reload && systemctl start bye'`,
    );
    const watching = engine.start('console', 'debian');
    let said = '';
    for (const stream of [watching.stdout, watching.stderr]) stream?.on('data', (chunk) => (said += String(chunk)));
    const left = new Promise((done) => watching.once('exit', done));
    await eventually(() => expect(said).toContain('Successfully connected'));
    expect((await engine.virt8s('stop', 'debian')).code).toBe(0);
    await engine.vmBecomes('debian', 'Stopped');
    await left;
    expect(said).toContain('bye');
  });

  test('has that state again after a restart, but fresh disks', async () => {
    const readinessProbe = {
      exec: { command: ['cat', '/run/it serves'] },
      guestAgentPing: null,
      periodSeconds: 2,
      timeoutSeconds: 30,
      failureThreshold: 1,
    };
    const spec = { template: { spec: { readinessProbe } } };
    await engine.kubectl('patch', 'vm', 'debian', '--type=merge', '-p', JSON.stringify({ spec }));
    expect((await engine.virt8s('start', 'debian')).code).toBe(0);
    await engine.vmBecomes('debian', 'Running');
    await cloudInitDone();
    expect(await inGuest('ls -d /sys/firmware/efi')).toBe('/sys/firmware/efi');
    expect(await inGuest(`sudo cat ${VARIABLE} | tail -c +5`)).toBe('kept');
    expect(await resets()).toBeGreaterThan(startsBefore);
    expect(await inGuest('cat /var/lib/ran')).toBe('by root');
    expect(await inGuest('sudo blkid /dev/disk/by-id/virtio-scratch || echo empty')).toBe('empty');
  });

  test('is ready while the command of its readiness probe succeeds', async () => {
    await becomesReady('False');
    await eventually(async () =>
      expect(await unhealthy()).toContain(
        "Readiness probe failed: cat ended with 1: cat: '/run/it serves': No such file or directory\n",
      ),
    );
    await inGuest('sudo touch "/run/it serves"');
    await becomesReady('True');
    await inGuest('sudo rm "/run/it serves"');
    await becomesReady('False');
  });
});
