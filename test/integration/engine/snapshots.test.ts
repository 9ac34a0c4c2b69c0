/** @needs guest */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keys } from '../../../src/api/keys';
import { eventually, httpGet, tinyVm } from '../../support/engine';
import { SuiteEngine } from '../../support/shared-engine';
import { isComplete } from '../../support/tier';

const VM = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine' };
const SNAPSHOT = { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot' };

/** Starts the agent, and serves the data disk: `?TEXT` writes the text into its first sector. */
const USER_DATA = `#!/bin/sh
agent
cat >/var/www/cgi-bin/disk <<'CGI'
#!/bin/sh
printf 'Content-Type: text/plain\\r\\n\\r\\n'
[ -n "$QUERY_STRING" ] && { echo "$QUERY_STRING" | dd of=/dev/vdb conv=fsync bs=512 2>/dev/null; }
md5sum /dev/vdb | cut -d' ' -f1
CGI
chmod +x /var/www/cgi-bin/disk
cat /sys/class/net/eth0/address >/var/www/mac
cat /sys/class/dmi/id/product_uuid >/var/www/uuid
`;

/** Starts the agent, serves the numbers that the disks had at the start, and writes growing numbers to one after the other. */
const COUNTER = `#!/bin/sh
agent
number() { dd if=$1 bs=512 count=1 2>/dev/null | head -n 1 | grep -E '^1[0-9]{6}$' || echo 1000000; }
echo "$(number /dev/vdb) $(number /dev/vdc)" >/var/www/counters
(i=$(number /dev/vdb)
while i=$((i + 1)); do
  for disk in vdb vdc; do echo $i | dd of=/dev/$disk conv=fsync bs=512 2>/dev/null; done
done) >/dev/null 2>&1 &
`;

describe('snapshots of VMs', () => {
  let engine: SuiteEngine;
  /** Annotation of the VolumeSnapshotClass before this suite. */
  let offline: string | undefined;

  beforeAll(async () => {
    engine = await SuiteEngine.begin();
    offline = (await engine.get('volumesnapshotclass', 'local')).metadata.annotations?.[keys.offlineSnapshots];
    // also where the storage has no reflinks, for which running guests are copied by QEMU
    await engine.kubectl('annotate', 'volumesnapshotclass', 'local', `${keys.offlineSnapshots}-`);
    for (const name of ['data', 'log']) await engine.mustApply(claim(name));
    await engine.mustApply(machine('db', ['data', 'log']));
    await answers('db');
    await agentAnswers('db');
  });
  afterAll(async () => {
    if (offline) {
      await engine.kubectl('annotate', 'volumesnapshotclass', 'local', `${keys.offlineSnapshots}=${offline}`);
    }
    expect(await engine.end()).toEqual([]);
  });

  const claim = (name: string, volumeMode = 'Filesystem'): object => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], volumeMode, resources: { requests: { storage: '128Mi' } } },
  });
  const machine = (name: string, claims: readonly string[], runStrategy = 'Always', userData = USER_DATA): object => {
    const vm = tinyVm(name, { memory: '128Mi', userData, runStrategy }) as {
      spec: { template: { spec: { domain: { devices: { disks: object[] } }; volumes: object[] } } };
    };
    const { domain, volumes } = vm.spec.template.spec;
    domain.devices.disks.splice(1, 0, ...claims.map((disk) => ({ name: disk, disk: { bus: 'virtio' } })));
    volumes.push(...claims.map((disk) => ({ name: disk, persistentVolumeClaim: { claimName: disk } })));
    return vm;
  };
  const agentAnswers = (vm: string): Promise<void> =>
    eventually(async () => {
      const { conditions } = (await engine.get('vmi', vm)).status;
      expect(conditions).toContainEqual(expect.objectContaining({ type: 'AgentConnected', status: 'True' }));
    });
  const object = (kind: string, name: string, spec: object, group = 'snapshot') => ({
    apiVersion: `${group}.kubevirt.io/v1beta1`,
    kind,
    metadata: { name },
    spec,
  });
  const snapshot = (name: string, vm: string, more: object = {}): object =>
    object('VirtualMachineSnapshot', name, { source: { ...VM, name: vm }, ...more });
  const restore = (name: string, from: string, to: string, more: object = {}): object =>
    object('VirtualMachineRestore', name, { target: { ...VM, name: to }, virtualMachineSnapshotName: from, ...more });
  const clone = (name: string, source: object, to: string): object =>
    object('VirtualMachineClone', name, { source, target: { ...VM, name: to } }, 'clone');
  const page = async (vm: string, path: string): Promise<string> =>
    (await httpGet(await engine.podIp(vm), path, 20_000)).trim();
  /** MD5 of the data disk, after writing the text. */
  const disk = (vm: string, text = ''): Promise<string> => page(vm, `/cgi-bin/disk?${text}`);
  const answers = (vm: string): Promise<string> => eventually(() => disk(vm), { everyMs: 500 });
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read any field
  type Status = any;
  const becomes = (kind: string, name: string, is: (status: Status) => unknown): Promise<Status> =>
    eventually(async () => {
      const { status } = await engine.get(kind, name);
      if (!status || !is(status)) throw new Error(`${kind} ${name}: ${JSON.stringify(status)}`);
      return status;
    });
  const ready = (name: string) => becomes('vmsnapshot', name, (status) => status.readyToUse);
  const complete = (name: string) => becomes('vmrestore', name, (status) => status.complete);
  const failed = (kind: string, name: string): Promise<string> =>
    becomes(kind, name, ({ conditions = [] }) =>
      conditions.some(({ type, status }: { type: string; status: string }) => type === 'Failure' && status === 'True'),
    ).then(({ conditions }) => conditions.find(({ type }: { type: string }) => type === 'Failure').message);
  const gone = (kind: string, ...args: string[]): Promise<void> =>
    eventually(async () => expect((await engine.list(kind, ...args)).map(({ metadata }) => metadata.name)).toEqual([]));
  const start = async (vm: string): Promise<void> => {
    await engine.kubectl('patch', 'vm', vm, '--type=merge', '-p', '{"spec":{"runStrategy":"Always"}}');
    await answers(vm);
  };
  const stop = async (vm: string): Promise<void> => {
    await engine.kubectl('patch', 'vm', vm, '--type=merge', '-p', '{"spec":{"runStrategy":"Halted"}}');
    await engine.vmBecomes(vm, 'Stopped');
  };
  /** Waits until the VM may be started and deleted again. */
  const isReleased = (vm: string): Promise<void> =>
    eventually(async () => {
      const { status, metadata } = await engine.get('vm', vm);
      const finalizers = ['kubevirt.io/virtualMachineControllerFinalize'];
      expect([status.snapshotInProgress, status.restoreInProgress, metadata.finalizers]).toEqual([
        undefined,
        undefined,
        finalizers,
      ]);
    });
  const claimOf = async (vm: string, volume: string): Promise<string> => {
    const { volumes } = (await engine.get('vm', vm)).spec.template.spec;
    return volumes.find(({ name }: { name: string }) => name === volume).persistentVolumeClaim.claimName;
  };
  /** MD5 of the data disk in a snapshot, which is downloaded. */
  const downloaded = async (name: string): Promise<string> => {
    const folder = mkdtempSync(join(tmpdir(), 'snapshot-'));
    try {
      const output = join(folder, 'data.img');
      const args = ['--snapshot', name, '--volume', await claimOf('db', 'data'), '--format', 'raw', '--output', output];
      const { code, stderr } = await engine.virt8s('vmexport', 'download', `of-${name}`, ...args);
      if (code !== 0) throw new Error(stderr);
      return createHash('md5').update(readFileSync(output)).digest('hex');
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  let digest = '';

  test('a running guest is frozen while its disks are taken, and the VM is released', async () => {
    digest = await disk('db', createHash('md5').update(randomBytes(8)).digest('hex'));
    await engine.mustApply(snapshot('online', 'db'));
    const status = await ready('online');
    expect(status.indications).toEqual(['Online', 'GuestAgent']);
    expect(status.snapshotVolumes.includedVolumes).toEqual(['data', 'log']);
    expect((await page('db', '/freezes')).split('\n').map((line) => line.split(' ')[0])).toEqual(['freeze', 'thaw']);
    await isReleased('db');
  });

  test('a guest whose controller is killed while it is frozen is thawed by the next one', async () => {
    await engine.mustApply(snapshot('killed', 'db'));
    await eventually(async () => expect((await page('db', '/freezes')).match(/freeze/g)).toHaveLength(2), {
      everyMs: 50,
    });
    process.kill(engine.componentPid('virt-controller'), 'SIGKILL');
    await ready('killed');
    await eventually(async () => expect((await page('db', '/freezes')).match(/thaw/g)).toHaveLength(2));
    await isReleased('db');
  });

  test('a user without rights can neither snapshot nor restore', async () => {
    await engine.kubectl('create', 'serviceaccount', 'guest');
    const as = [`--as=system:serviceaccount:${engine.namespace}:guest`, 'apply', '-f', '-'];
    for (const wanted of [
      snapshot('theirs', 'db'),
      restore('theirs', 'online', 'db'),
      clone('theirs', { ...VM, name: 'db' }, 'x'),
    ]) {
      const { code, stderr } = await engine.run('kubectl', as, JSON.stringify(wanted));
      expect([code, stderr]).toEqual([1, expect.stringContaining('orbidden')]);
    }
  });

  test('a snapshot is exported while its VM runs and writes', async () => {
    expect(await disk('db', 'later')).not.toBe(digest);
    expect(await downloaded('online')).toBe(digest);
  });

  test('a running target is refused, or stopped, as the policy says, and gets its disks back', async () => {
    await disk('db', 'changed');
    await engine.mustApply(restore('strict', 'online', 'db', { targetReadinessPolicy: 'FailImmediate' }));
    expect(await failed('vmrestore', 'strict')).toMatch(/not ready; stop the VM/);
    await engine.kubectl('delete', 'vmrestore', 'strict', '--timeout=5m');

    await engine.mustApply(restore('back', 'online', 'db', { targetReadinessPolicy: 'StopTarget' }));
    const { restores } = await complete('back');
    expect(restores.map(({ volumeName }: { volumeName: string }) => volumeName)).toEqual(['data', 'log']);
    await isReleased('db');
    await start('db');
    expect(await disk('db')).toBe(digest);
  });

  test('a clone has the disks, and addresses and a machine id of its own', async () => {
    await engine.mustApply(clone('copy', { ...SNAPSHOT, name: 'online' }, 'copy'));
    await becomes('vmclone', 'copy', ({ phase }) => phase === 'Succeeded');
    await start('copy');
    expect(await disk('copy')).toBe(digest);
    expect((await engine.guest('copy')).hostname).toBe('copy');
    for (const path of ['/mac', '/uuid']) expect(await page('copy', path)).not.toBe(await page('db', path));
    await gone('vmrestore', '--field-selector=metadata.name!=back');
    await engine.kubectl('delete', 'vm', 'copy', '--timeout=5m');
    await gone('pvc', '-l', 'restore.kubevirt.io/source-vm-name', '--field-selector=metadata.name=copy-data');
  });

  // three more guests
  if (isComplete) {
    describe('on storage without snapshots', () => {
      let snapshotClass: Status;
      beforeAll(async () => {
        snapshotClass = await engine.get('volumesnapshotclass', 'local');
        await engine.kubectl('delete', 'volumesnapshotclass', 'local');
      });
      afterAll(async () => {
        const { name, annotations } = snapshotClass.metadata;
        // without the annotation of kubectl apply, as before
        const again = JSON.stringify({ ...snapshotClass, metadata: { name, annotations } });
        expect((await engine.run('kubectl', ['create', '-f', '-'], again)).code).toBe(0);
      });

      test('disks are copied while the VM is stopped, and restored from the copy', async () => {
        await stop('db');
        await engine.mustApply(snapshot('copied', 'db'));
        expect((await ready('copied')).snapshotVolumes.includedVolumes).toEqual(['data', 'log']);
        expect(await downloaded('copied')).toBe(digest);
        await engine.mustApply(restore('copied', 'copied', 'third'));
        await complete('copied');
        await start('third');
        expect(await disk('third')).toBe(digest);
        await engine.kubectl('delete', 'vm', 'third', '--timeout=5m');
      });

      test('disks of a running guest are copied by QEMU, all at one point in time', async () => {
        await engine.mustApply(claim('counted', 'Filesystem'));
        await engine.mustApply(claim('counted-block', 'Block'));
        await engine.mustApply(machine('counter', ['counted', 'counted-block'], 'Always', COUNTER));
        await eventually(() => page('counter', '/counters'), { everyMs: 500 });
        await agentAnswers('counter');

        await engine.mustApply(snapshot('running', 'counter'));
        const { indications, snapshotVolumes, virtualMachineSnapshotContentName: content } = await ready('running');
        expect(indications).toEqual(['Online', 'GuestAgent']);
        expect(snapshotVolumes.includedVolumes).toEqual(['counted', 'counted-block']);
        expect((await page('counter', '/freezes')).split('\n').map((line) => line.split(' ')[0])).toEqual([
          'freeze',
          'thaw',
        ]);
        await isReleased('counter');
        // the images of QEMU are gone, and the disks have claims of their own
        await gone('vmbackup');
        const copies = (await engine.list('pvc')).filter(({ metadata }) =>
          metadata.ownerReferences?.some(({ name }: { name: string }) => name === content),
        );
        expect(copies.map(({ spec }) => spec.volumeMode).sort()).toEqual(['Block', 'Filesystem']);
        expect((await engine.get('vmi', 'counter')).spec.utilityVolumes).toBeUndefined();

        await engine.mustApply(restore('running', 'running', 'second-counter'));
        await complete('running');
        await engine.kubectl(
          'patch',
          'vm',
          'second-counter',
          '--type=merge',
          '-p',
          '{"spec":{"runStrategy":"Always"}}',
        );
        const counters = await eventually(() => page('second-counter', '/counters'), { everyMs: 500 });
        const [first = 0, second = 0] = counters.split(' ').map(Number);
        expect(first).toBeGreaterThan(1_000_000);
        // the guest writes a number to the first disk, and then to the second one
        expect([0, 1]).toContain(first - second);
        for (const vm of ['counter', 'second-counter']) await engine.kubectl('delete', 'vm', vm, '--timeout=5m');
      });
    });
  }

  test('deleted snapshots take their data along, unless it is retained', async () => {
    await engine.mustApply(snapshot('kept', 'db', { deletionPolicy: 'Retain' }));
    const { virtualMachineSnapshotContentName: kept } = await ready('kept');
    await engine.kubectl('delete', 'vmsnapshot', '--all', '--timeout=5m');
    const names = async (kind: string) => (await engine.list(kind)).map(({ metadata }) => metadata.name);
    await eventually(async () => {
      expect(await names('vmsnapshotcontent')).toEqual([kept]);
      expect(await names('volumesnapshot')).toHaveLength(2);
      // copies of disks
      expect((await names('pvc')).filter((name) => name.startsWith('vmsnapshot-'))).toEqual([]);
    });
  });

  test('a stopped VM is restored in place under the names of its claims, and to a new VM with patches', async () => {
    await stop('db');
    await engine.mustApply(snapshot('stopped', 'db'));
    expect((await ready('stopped')).indications).toBeUndefined();
    await engine.mustApply(restore('names', 'stopped', 'db', { volumeRestorePolicy: 'InPlace' }));
    const before = (await engine.get('vm', 'db')).spec.template.spec.volumes;
    await complete('names');
    expect((await engine.get('vm', 'db')).spec.template.spec.volumes).toEqual(before);

    const patches = ['{"op":"replace","path":"/spec/template/spec/domain/memory/guest","value":"144Mi"}'];
    await engine.mustApply(restore('new', 'stopped', 'second', { patches, volumeRestorePolicy: 'PrefixTargetName' }));
    await complete('new');
    const second = await engine.get('vm', 'second');
    expect(second.spec.template.spec.domain.memory.guest).toBe('144Mi');
    expect((await engine.list('pvc')).map(({ metadata }) => metadata.name)).toEqual(
      expect.arrayContaining(['second-data', 'second-log']),
    );
    await engine.mustApply(restore('bad', 'stopped', 'never', { patches: ['{"op":"remove","path":"/spec/nothing"}'] }));
    expect(await failed('vmrestore', 'bad')).toMatch(/refused the restore/);
    await eventually(async () =>
      expect((await engine.list('vm')).map(({ metadata }) => metadata.name)).toEqual(['db', 'second']),
    );
  });

  test('fails after its deadline with the cause, and leaves the VM as it was', async () => {
    await engine.mustApply(machine('unbound', ['nothing'], 'Halted'));
    await engine.mustApply(snapshot('late', 'unbound', { failureDeadline: '3s' }));
    expect(await failed('vmsnapshot', 'late')).toMatch(/deadline exceeded: .*"nothing" does not exist; create it/);
    await isReleased('unbound');
  });
});
