/** @needs guest */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { eventually, httpGet, tinyVm } from '../../support/engine';
import { SuiteEngine } from '../../support/shared-engine';
import { GUEST_SHELL } from '../../support/guest-shell';

/** Rounds of attaching and detaching under I/O. `VIRT8S_HOTPLUG_ROUNDS=30` runs the long test. */
const ROUNDS = Number(process.env.VIRT8S_HOTPLUG_ROUNDS ?? '2');

const GATES = ['IncrementalBackup', 'UtilityVolumes'];

/** Bytes of memory in an ELF core file, whose segments must be in it. */
function loadedBytes(core: Buffer): number {
  expect(core.subarray(0, 5).toString('latin1')).toBe('\x7fELF\x02');
  expect(core.readUInt16LE(16)).toBe(4); // ET_CORE
  const [first, size, count] = [Number(core.readBigUInt64LE(32)), core.readUInt16LE(54), core.readUInt16LE(56)];
  let loaded = 0;
  for (let i = 0; i < count; i++) {
    const at = first + i * size;
    const [offset, bytes] = [Number(core.readBigUInt64LE(at + 8)), Number(core.readBigUInt64LE(at + 32))];
    expect(offset + bytes).toBeLessThanOrEqual(core.length);
    if (core.readUInt32LE(at) === 1) loaded += bytes; // PT_LOAD
  }
  return loaded;
}

describe('Volumes of a running guest', () => {
  let engine: SuiteEngine;
  const dir = mkdtempSync(join(tmpdir(), 'hotplug-'));

  beforeAll(async () => {
    engine = await SuiteEngine.begin();
    const vm = tinyVm('plug', { userData: GUEST_SHELL, graceSeconds: 0 }) as {
      spec: { template: { spec: { domain: { devices: { disks: object[] } } } } };
    };
    vm.spec.template.spec.domain.devices.disks.push({ name: 'medium', cdrom: { bus: 'sata' } });
    await engine.mustApply([vm, claim('data'), claim('raw', 'Block'), claim('busy')]);
    await engine.vmBecomes('plug', 'Running');
    await engine.guest('plug');
  });
  afterAll(async () => {
    rmSync(dir, { recursive: true });
    expect(await engine.end()).toEqual([]);
  });

  const claim = (name: string, volumeMode = 'Filesystem') => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], volumeMode, resources: { requests: { storage: '256Mi' } } },
  });
  /** Output of a shell command in the guest. */
  const inGuest = async (script: string): Promise<string> =>
    (await httpGet(await engine.podIp('plug'), `/cgi-bin/run?${encodeURIComponent(script)}`, 60_000)).trim();
  /** Waits for the guest's own view of its disks, which follows that of QEMU. */
  const guestHas = (disks: string): Promise<void> =>
    eventually(async () =>
      expect(await inGuest('cd /dev; for d in sd? vd?; do [ -b $d ] && echo $d; done | xargs')).toBe(disks),
    );
  const status = async (name: string) =>
    (await engine.get('vmi', 'plug')).status.volumeStatus.find((each: { name: string }) => each.name === name);
  const becomes = (name: string, phase: string): Promise<void> =>
    eventually(async () => expect(await status(name)).toMatchObject({ phase }), { everyMs: 300 });
  const isGone = (name: string): Promise<void> =>
    eventually(async () => expect(await status(name)).toBeUndefined(), { everyMs: 300 });
  const attachments = (): Promise<object[]> => engine.list('pods', '-l', 'kubevirt.io=hotplug-disk');
  const virt8s = async (...args: string[]): Promise<void> => {
    const { code, stderr } = await engine.virt8s(...args);
    if (code !== 0) throw new Error(stderr);
  };
  const add = (name: string, bus: string): Promise<void> =>
    virt8s('addvolume', 'plug', `--volume-name=${name}`, `--bus=${bus}`, '--persist');
  const remove = (name: string): Promise<void> => virt8s('removevolume', 'plug', `--volume-name=${name}`, '--persist');
  /** Changes the template of the VM. */
  const edit = async (change: (spec: { volumes: object[]; disks: object[] }) => void): Promise<void> => {
    const { spec } = (await engine.get('vm', 'plug')).spec.template;
    const storage = { volumes: spec.volumes, disks: spec.domain.devices.disks };
    change(storage);
    const patch = { volumes: storage.volumes, domain: { devices: { disks: storage.disks } } };
    const body = JSON.stringify({ spec: { template: { spec: patch } } });
    await engine.kubectl('patch', 'vm', 'plug', '--type=merge', `--patch=${body}`);
  };
  const kill = async (name: 'virt-controller' | 'virt-handler'): Promise<void> => {
    process.kill(engine.componentPid(name), 'SIGKILL');
    await eventually(() => virt8s('up'));
  };

  const killLauncher = async (): Promise<void> => {
    const [pod] = await engine.list('pods', '-l', 'vm.kubevirt.io/name=plug');
    const isInPod = (pid: number): boolean =>
      readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(`pod${pod.metadata.uid}`);
    const pids = engine.pids('virt-launcher.cjs').filter(isInPod);
    expect(pids).not.toEqual([]);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  };

  test('are attached, keep their data, and survive kills of the components', async () => {
    await guestHas('vda vdb');
    await add('data', 'scsi');
    await edit(({ volumes, disks: list }) => {
      volumes.push({ name: 'raw', persistentVolumeClaim: { claimName: 'raw', hotpluggable: true } });
      list.push({ name: 'raw', disk: { bus: 'virtio' } });
    });
    await kill('virt-controller');
    await becomes('data', 'Ready');
    await becomes('raw', 'Ready');
    await guestHas('sda vda vdb vdc');
    const digest = (device: string): Promise<string> =>
      inGuest(`dd if=/dev/${device} bs=1M count=16 2>/dev/null | sha256sum`);
    await inGuest('for d in sda vdc; do dd if=/dev/urandom of=/dev/$d bs=1M count=16; done; sync');
    const before = [await digest('sda'), await digest('vdc')];
    const conditions = (await engine.get('vm', 'plug')).status.conditions.map(({ type }: { type: string }) => type);
    expect(conditions).not.toContain('RestartRequired');

    await killLauncher();
    await remove('data');
    await remove('raw');
    await kill('virt-handler');
    await isGone('data');
    await isGone('raw');
    await eventually(async () => expect(await attachments()).toEqual([]));
    await guestHas('vda vdb');

    await add('raw', 'virtio');
    await add('data', 'scsi');
    await becomes('data', 'Ready');
    await becomes('raw', 'Ready');
    await guestHas('sda vda vdb vdc');
    expect([await digest('sda'), await digest('vdc')]).toEqual(before);
  });

  test('grow with their claims', async () => {
    const patch = JSON.stringify({ spec: { resources: { requests: { storage: '320Mi' } } } });
    await engine.kubectl('patch', 'pvc', 'raw', '--type=merge', `--patch=${patch}`);
    await eventually(async () => expect(await inGuest('cat /sys/block/vdc/size')).toBe(String(320 * 2048)));
    await eventually(async () => expect(await status('raw')).toMatchObject({ size: 320 * 2 ** 20 }));
  });

  test('stay attached when the guest reboots', async () => {
    const { boot_id: old } = await engine.guest('plug');
    await virt8s('reset', 'plug');
    await eventually(async () => expect((await engine.guest('plug')).boot_id).not.toBe(old));
    await guestHas('sda vda vdb vdc');
  });

  const dumpOf = async () => (await engine.get('vm', 'plug')).status.memoryDumpRequest;
  const dumpBecomes = (phase: string): Promise<void> =>
    eventually(async () => expect(await dumpOf()).toMatchObject({ phase }), { everyMs: 300 });

  test('are the targets of memory dumps, which survive kills and leave the guest running', async () => {
    const { boot_id: bootId } = await engine.guest('plug');
    const marker = (await inGuest('echo marker | sha256sum | tee /tmp/marker')).split(' ')[0];
    await virt8s('memory-dump', 'get', 'plug', '--claim-name=memory', '--create-claim');
    await kill('virt-controller');
    await dumpBecomes('Completed');
    const { fileName, startTimestamp, endTimestamp } = await dumpOf();
    expect(fileName).toMatch(/^plug-memory-\d{8}-\d{6}\.memory\.dump$/);
    expect(Date.parse(endTimestamp)).toBeGreaterThanOrEqual(Date.parse(startTimestamp));
    expect((await engine.get('pvc', 'memory')).metadata.annotations).toMatchObject({
      'kubevirt.io/memory-dump': fileName,
    });
    const file = join(dir, 'core');
    await virt8s('memory-dump', 'download', 'plug', `--output=${file}`, '--format=raw');
    const core = readFileSync(file);
    expect(loadedBytes(core)).toBeGreaterThanOrEqual(256 << 20);
    expect(core.includes(marker)).toBe(true);
    rmSync(file);

    await virt8s('memory-dump', 'get', 'plug');
    await kill('virt-handler');
    await killLauncher();
    await dumpBecomes('Completed');
    expect((await dumpOf()).fileName).not.toBe(fileName);
    await virt8s('memory-dump', 'remove', 'plug');
    await eventually(async () => expect(await dumpOf()).toBeUndefined(), { everyMs: 300 });
    const { spec, status: ofVm } = await engine.get('vm', 'plug');
    expect(spec.template.spec.volumes.map(({ name }: { name: string }) => name)).not.toContain('memory');
    expect(ofVm.conditions.map(({ type }: { type: string }) => type)).not.toContain('RestartRequired');
    expect((await engine.guest('plug')).boot_id).toBe(bootId);
  });

  test('are not accepted for memory dumps if they do not fit', async () => {
    const dump = (name: string) => engine.virt8s('memory-dump', 'get', 'plug', `--claim-name=${name}`);
    const refused = (stderr: string) => ({ code: 1, stderr: expect.stringContaining(stderr) as string });
    expect(await dump('busy')).toMatchObject(refused('pvc size [256Mi] should be bigger then'));
    expect(await dump('raw')).toMatchObject(refused('pvc should be filesystem pvc'));
    expect(await dump('none')).toMatchObject(refused('"none" not found'));
    expect(await dumpOf()).toBeUndefined();
  });

  const backup = (name: string, more: object = {}) => ({
    apiVersion: 'backup.kubevirt.io/v1alpha1',
    kind: 'VirtualMachineBackup',
    metadata: { name },
    spec: {
      source: { apiGroup: 'backup.kubevirt.io', kind: 'VirtualMachineBackupTracker', name: 'daily' },
      pvcName: 'backups',
      ...more,
    },
  });

  test('are backed up, first as a whole and then what was written since, and restored from both', async () => {
    await engine.configure({ developerConfiguration: { featureGates: GATES } });
    const isDone = (name: string, want: object): Promise<void> =>
      eventually(
        async () => {
          const { status: found } = await engine.get('vmbackup', name);
          expect(found).toMatchObject(want);
          expect(found.conditions).toContainEqual(expect.objectContaining({ type: 'Complete', status: 'True' }));
        },
        { everyMs: 300 },
      );
    await eventually(() =>
      engine.mustApply([
        claim('backups'),
        {
          apiVersion: 'backup.kubevirt.io/v1alpha1',
          kind: 'VirtualMachineBackupTracker',
          metadata: { name: 'daily' },
          spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'plug' } },
        },
        backup('full'),
      ]),
    );
    await kill('virt-controller');
    const includedVolumes = expect.arrayContaining([{ volumeName: 'data' }, { volumeName: 'raw' }]);
    await isDone('full', { type: 'Full', includedVolumes });
    const { checkpointName } = (await engine.get('vmbackup', 'full')).status;
    expect((await engine.get('vmbackuptracker', 'daily')).status.latestCheckpoint.name).toBe(checkpointName);

    await inGuest('for d in sda vdc; do dd if=/dev/urandom of=/dev/$d bs=1M seek=8 count=4 conv=notrunc; done; sync');
    await engine.mustApply(backup('changes', { skipQuiesce: true }));
    await killLauncher();
    await isDone('changes', { type: 'Incremental', includedVolumes });
    await eventually(async () => expect(await attachments()).toHaveLength(2));

    const { spec } = await engine.get('pv', (await engine.get('pvc', 'backups')).spec.volumeName);
    const root = `/proc/${engine.componentPid('engine')}/root${spec.local.path}/plug`;
    const fileOf = (name: string, volume: string): string => {
      const [folder] = readdirSync(root).filter((each) => each.startsWith(`${name}-`));
      const copy = join(dir, `${name}-${volume}.qcow2`);
      copyFileSync(join(root, folder, `${name}-${volume}.qcow2`), copy);
      return copy;
    };
    for (const [volume, device] of [
      ['data', 'sda'],
      ['raw', 'vdc'],
    ]) {
      const [full, changes] = [fileOf('full', volume), fileOf('changes', volume)];
      expect(statSync(changes).size).toBeLessThan(statSync(full).size / 2);
      execFileSync('qemu-img', ['rebase', '-u', '-F', 'qcow2', '-b', full, changes]);
      execFileSync('qemu-img', ['convert', '-O', 'raw', changes, join(dir, 'restored')]);
      const digest = await inGuest(`dd if=/dev/${device} bs=1M count=24 2>/dev/null | sha256sum`);
      const restored = readFileSync(join(dir, 'restored')).subarray(0, 24 << 20);
      expect(createHash('sha256').update(restored).digest('hex')).toBe(digest.split(' ')[0]);
    }
  });

  test('are downloaded as they were, with what was written since the last backup, while the guest runs', async () => {
    const write = (what: string, from: number, count: number): Promise<string> =>
      inGuest(`dd if=/dev/${what} of=/dev/sda bs=1M seek=${from} count=${count} conv=notrunc; sync`);
    const digestInGuest = async (): Promise<string> =>
      (await inGuest('dd if=/dev/sda bs=1M count=24 2>/dev/null | sha256sum')).split(' ')[0]!;
    await engine.kubectl('create', 'secret', 'generic', 'downloads', '--from-literal=token=of-the-test');
    await write('urandom', 16, 2);
    const before = await digestInGuest();
    await engine.mustApply(backup('pulled', { mode: 'Pull', tokenSecretRef: 'downloads', skipQuiesce: true }));
    await kill('virt-controller');
    const offered = await eventually(async () => {
      const { status: found } = await engine.get('vmbackup', 'pulled');
      const conditions = [expect.objectContaining({ type: 'Progressing', reason: 'ExportReady' })];
      expect(found).toMatchObject({ type: 'Incremental', conditions: expect.arrayContaining(conditions) });
      return found;
    });
    await write('zero', 8, 12);
    expect(await digestInGuest()).not.toBe(before);

    const { dataEndpoint, mapEndpoint } = offered.includedVolumes.find(
      ({ volumeName }: { volumeName: string }) => volumeName === 'data',
    );
    const download = (url: string, token = 'of-the-test'): Promise<{ code?: number; body: Buffer }> =>
      new Promise((done, fail) => {
        const headers = { 'x-kubevirt-export-token': token };
        get(url, { ca: offered.endpointCert, headers }, (response) => {
          buffer(response).then((body) => done({ code: response.statusCode, body }), fail);
        }).once('error', fail);
      });
    expect(await download(mapEndpoint, 'guessed')).toMatchObject({ code: 401 });
    const { extents } = JSON.parse((await download(mapEndpoint)).body.toString());
    const dirty = extents.filter(({ description }: { description: string }) => description === 'dirty');
    expect(dirty).toEqual([{ offset: 16 << 20, length: 2 << 20, type: 1, description: 'dirty' }]);
    // the whole disk is readable, as it was
    const { body } = await download(`${dataEndpoint}?length=${24 << 20}`);
    expect(createHash('sha256').update(body).digest('hex')).toBe(before);

    await engine.kubectl('delete', 'vmbackup', 'pulled', '--timeout=5m');
    expect(await engine.list('vmexport')).toEqual([]);
    expect((await engine.get('vmbackuptracker', 'daily')).status.latestCheckpoint.name).toMatch(/^pulled-/);
    await eventually(async () => expect(await attachments()).toHaveLength(2));
    await engine.kubectl('delete', 'vmbackup,vmbackuptracker', '--all', '--timeout=5m');
  });

  test('lose no byte when another disk is attached and detached under I/O', async () => {
    await inGuest(
      'while :; do dd if=/dev/urandom of=/dev/sda bs=64k count=64; sync; done >/dev/null 2>/tmp/errors & echo $! >/tmp/pid',
    );
    for (let round = 0; round < ROUNDS; round++) {
      await add('busy', 'scsi');
      await becomes('busy', 'Ready');
      await guestHas('sda sdb vda vdb vdc');
      const written = await inGuest(
        'dd if=/dev/urandom of=/tmp/x bs=1M count=4; dd if=/tmp/x of=/dev/sdb bs=1M; sync; sha256sum </tmp/x',
      );
      expect(await inGuest('dd if=/dev/sdb bs=1M count=4 2>/dev/null | sha256sum')).toBe(written.split('\n').at(-1));
      await remove('busy');
      await isGone('busy');
    }
    expect(await inGuest('kill $(cat /tmp/pid); grep -i error /tmp/errors')).toBe('');
  });

  test('are media of a drive, which are inserted and ejected', async () => {
    await edit(({ volumes }) => {
      volumes.push({ name: 'medium', persistentVolumeClaim: { claimName: 'busy', hotpluggable: true } });
    });
    await becomes('medium', 'Ready');
    await eventually(async () => expect(Number(await inGuest('cat /sys/block/sr0/size'))).toBeGreaterThan(100_000));
    await edit(
      ({ volumes }) =>
        void volumes.splice(
          volumes.findIndex((each) => (each as { name: string }).name === 'medium'),
          1,
        ),
    );
    await isGone('medium');
    const { conditions } = (await engine.get('vm', 'plug')).status;
    expect(conditions.map(({ type }: { type: string }) => type)).not.toContain('RestartRequired');
  });

  test.each([
    [
      'a name that is in use',
      ['addvolume', 'plug', '--volume-name=data', '--persist'],
      /with that name already exists/,
    ],
    [
      'the disk from which the guest boots',
      ['removevolume', 'plug', '--volume-name=root', '--persist'],
      /is not hotpluggable/,
    ],
    ['a volume that does not exist', ['removevolume', 'plug', '--volume-name=none', '--persist'], /does not exist/],
    ['a claim that does not exist', ['addvolume', 'plug', '--volume-name=none', '--persist'], /is not a DataVolume or/],
  ])('are rejected: %s', async (_, args, message) => {
    expect(await engine.virt8s(...args)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
  });

  test('wait for a claim that does not exist yet, with a condition and an event', async () => {
    await edit(({ volumes, disks: list }) => {
      volumes.push({ name: 'late', persistentVolumeClaim: { claimName: 'late', hotpluggable: true } });
      list.push({ name: 'late', disk: { bus: 'scsi' } });
    });
    const message = expect.stringMatching(/"late" does not exist.*create it/);
    await eventually(async () => {
      const { conditions } = (await engine.get('vm', 'plug')).status;
      expect(conditions).toContainEqual(
        expect.objectContaining({ type: 'Synchronized', reason: 'FailedPvcNotFound', message }),
      );
    });
    const events = await engine.list('events', '--field-selector=reason=FailedPvcNotFound');
    expect(events).toContainEqual(expect.objectContaining({ message }));
    await engine.mustApply(claim('late'));
    await becomes('late', 'Ready');
  });

  test('leave nothing when their VM is deleted', async () => {
    await engine.kubectl('delete', 'vm', 'plug', '--timeout=5m');
    await eventually(async () => expect(await attachments()).toEqual([]));
    await engine.kubectl('delete', 'pvc', '--all', '--timeout=5m');
    await eventually(async () => expect(await engine.list('pv')).toEqual([]));
  });
});
