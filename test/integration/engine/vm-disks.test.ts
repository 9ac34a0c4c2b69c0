/** @needs guest */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, tinyVm } from '../../support/engine';
import { SuiteEngine } from '../../support/shared-engine';
import { guestDisk } from '../../support/guest-disk';
import { GUEST_SHELL, inGuest } from '../../support/guest-shell';

const MIB = 1 << 20;

describe('disks of VMs', () => {
  let engine: SuiteEngine;
  /** A directory of the node, for volumes that a test enlarges and for files of hostDisk volumes. */
  const node = mkdtempSync('/var/lib/virt8s-test-node-');
  const golden = join(node, 'golden/disk.img');

  beforeAll(async () => {
    for (const name of ['golden', 'grown', 'host']) mkdirSync(join(node, name));
    guestDisk('tiny', join(node, 'tiny.qcow2'));
    execFileSync('qemu-img', ['convert', '-O', 'raw', join(node, 'tiny.qcow2'), golden]);
    execFileSync('chown', ['-R', '107:107', join(node, 'golden'), join(node, 'grown')]);
    engine = await SuiteEngine.begin();
    await engine.configure({ developerConfiguration: { featureGates: ['HostDisk'] }, vmStateStorageClass: 'local' });
    await engine.mustApply([
      ...volumeAt('golden', '64Mi'),
      ...volumeAt('grown', '16Mi'),
      claim('data', { resources: size('128Mi') }),
      claim('reporting', { resources: size('128Mi') }),
      claim('shared', { resources: size('16Mi'), accessModes: ['ReadWriteMany'], volumeMode: 'Block' }),
    ]);
    const root = { ephemeral: { persistentVolumeClaim: { claimName: 'golden' } } };
    const shared = { persistentVolumeClaim: { claimName: 'shared' } };
    await engine.mustApply([
      machine('one', {
        root,
        shared,
        data: { persistentVolumeClaim: { claimName: 'data' } },
        host: { hostDisk: { path: join(node, 'host/one.img'), type: 'DiskOrCreate', capacity: '8Mi' } },
        grown: { persistentVolumeClaim: { claimName: 'grown' } },
        reporting: { persistentVolumeClaim: { claimName: 'reporting' } },
      }),
      stateful('two', { root, shared }),
    ]);
    await Promise.all(['one', 'two'].map((vm) => eventually(() => inGuest(engine, vm, 'true'), { everyMs: 500 })));
  });
  afterAll(async () => {
    await engine.kubectl('delete', 'vm,pvc', '--all', '--timeout=5m');
    await engine.kubectl('delete', 'pv', 'golden', 'grown', '--timeout=5m');
    const left = await engine.end();
    rmSync(node, { recursive: true });
    expect(left).toEqual([]);
  });

  const patch = (object: string[], body: object): Promise<string> =>
    engine.kubectl('patch', ...object, '--type=merge', '-p', JSON.stringify(body));
  const size = (storage: string): object => ({ requests: { storage } });
  const claim = (name: string, spec: object): object => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], ...spec },
  });
  /** A directory of the node as a volume with its claim. */
  const volumeAt = (name: string, storage: string): object[] => [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: {
        capacity: { storage },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'manual',
        hostPath: { path: join(node, name) },
      },
    },
    claim(name, { resources: size(storage), storageClassName: 'manual', volumeName: name }),
  ];
  const machine = (
    name: string,
    volumes: Record<string, object>,
    disk: object = { disk: { bus: 'virtio' } },
  ): object => {
    const vm = tinyVm(name, { userData: GUEST_SHELL, graceSeconds: 0 }) as Machine;
    const { spec } = vm.spec.template;
    const [, seed] = spec.domain.devices.disks;
    const disks = Object.keys(volumes).map((volume) => ({
      name: volume,
      ...disk,
      ...(volume === 'shared' && { shareable: true }),
      ...(volume === 'reporting' && { errorPolicy: 'report' }),
    }));
    spec.domain.devices.disks = [...disks, seed!];
    const sources = Object.entries(volumes).map(([volume, source]) => ({ name: volume, ...source }));
    spec.volumes = [...sources, spec.volumes[1]!];
    return vm;
  };
  /** With UEFI variables and a TPM that outlive the guest. */
  const stateful = (name: string, volumes: Record<string, object>): object => {
    const vm = machine(name, volumes) as Machine;
    const { domain } = vm.spec.template.spec;
    domain.firmware = { bootloader: { efi: { secureBoot: false, persistent: true } } };
    domain.devices.tpm = { persistent: true };
    return vm;
  };
  /** Fills the file system of a claim of the first VM. @returns the file to remove for space */
  const fill = async (disk: string): Promise<string> => {
    const filler = `/run/kubevirt-private/vmi-disks/${disk}/filler`;
    await engine.exec('one', `dd if=/dev/zero of=${filler} bs=1M 2>/dev/null || true`);
    return filler;
  };
  const inOne = (command: string): Promise<string> => inGuest(engine, 'one', command);
  const bytesOf = async (vm: string, device: string): Promise<number> =>
    Number(await inGuest(engine, vm, `cat /sys/class/block/${device}/size`)) * 512;
  const conditionOf = async (vmi: string, type: string) =>
    (await engine.get('vmi', vmi)).status?.conditions?.find((condition: { type: string }) => condition.type === type);
  const digest = (): string => createHash('sha256').update(readFileSync(golden)).digest('hex');

  test('two VMs boot from one claim, whose content stays as it is', async () => {
    const before = digest();
    const last = statSync(golden).size / 512 - 1;
    await inOne(`echo mine | dd of=/dev/vda bs=512 seek=${last} conv=notrunc,fsync`);
    const read = `dd if=/dev/vda bs=512 skip=${last} 2>/dev/null | tr -cd a-z`;
    expect(await inOne(`echo 3 > /proc/sys/vm/drop_caches; ${read}`)).toBe('mine');
    expect(await inGuest(engine, 'two', read)).toBe('');
    expect(digest()).toBe(before);
  });

  test('two VMs share a block claim', async () => {
    await inOne('echo hello | dd of=/dev/vdb conv=notrunc,fsync');
    expect(await inGuest(engine, 'two', 'head -c 5 /dev/vdb')).toBe('hello');
  });

  test('the image of a hostDisk is created on the node and gets what the guest writes', async () => {
    await inOne('echo kept | dd of=/dev/vdd conv=notrunc,fsync');
    const image = join(node, 'host/one.img');
    expect(readFileSync(image).toString('latin1', 0, 4)).toBe('kept');
    expect(statSync(image)).toMatchObject({ size: 8 * MIB, uid: 107, gid: 107 });
  });

  test('guests see that their claims have grown, on block devices and on file systems', async () => {
    const before = await engine.guest('one');
    await patch(['pvc', 'shared'], { spec: { resources: size('32Mi') } });
    // as a CSI driver does that has enlarged a volume
    await patch(['pvc', 'grown', '--subresource=status'], { status: { capacity: { storage: '64Mi' } } });
    await eventually(async () => {
      expect(await bytesOf('one', 'vdb')).toBe(32 * MIB);
      expect(await bytesOf('two', 'vdb')).toBe(32 * MIB);
      expect(await bytesOf('one', 'vde')).toBe(60 * MIB);
    });
    expect((await engine.guest('one')).boot_id).toBe(before.boot_id);
    await eventually(async () => {
      const { status } = await engine.get('vmi', 'one');
      const capacity = expect.objectContaining({ capacity: { storage: '64Mi' } });
      const grown = { name: 'grown', target: 'vde', size: 60 * MIB, persistentVolumeClaimInfo: capacity };
      expect(status.volumeStatus).toContainEqual(grown);
    });
  });

  test('virt8s disks shows the path from the device to the data', async () => {
    const { stdout } = await engine.virt8s('disks', 'one');
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/ {3,}/));
    expect(rows[0]).toEqual(['DISK', 'DEVICE', 'BUS', 'SIZE', 'IN USE', 'CLAIM', 'REQUESTED', 'CAPACITY', 'SOURCE']);
    expect(rows).toContainEqual(['shared', 'vdb', 'virtio', '32Mi', '-', 'shared', '32Mi', '32Mi', 'claim']);
    expect(rows.find(([disk]) => disk === 'root')).toEqual(
      expect.arrayContaining(['vda', 'golden', 'overlay over claim']),
    );
    const json = JSON.parse((await engine.virt8s('disks', 'two', '-o', 'json')).stdout);
    const shared = { disk: 'shared', device: 'vdb', size: 32 * MIB, source: 'claim' };
    expect(json).toContainEqual(expect.objectContaining(shared));
  });

  test('a guest whose storage is full is paused, and continues when there is space', async () => {
    const filler = await fill('data');
    const write = 'dd if=/dev/urandom of=/dev/vdc bs=1M count=16 conv=fsync && touch /tmp/written';
    await inOne(`(${write}) >/dev/null 2>&1 </dev/null &`);
    await eventually(async () =>
      expect(await conditionOf('one', 'Paused')).toMatchObject({
        status: 'True',
        reason: 'PausedIOError',
        message: expect.stringMatching(/the storage of "data" is full; free space there or enlarge the claim/),
      }),
    );
    await engine.exec('one', `rm ${filler}`);
    await eventually(async () => expect(await inOne('ls /tmp/written')).toBe('/tmp/written'));
    await eventually(async () => expect(await conditionOf('one', 'Paused')).toBeUndefined());
  });

  test('a guest gets the error of a full disk with errorPolicy report, and runs on', async () => {
    const filler = await fill('reporting');
    const write = (): Promise<string> =>
      inOne('dd if=/dev/urandom of=/dev/vdf bs=1M count=16 conv=fsync 2>/dev/null; echo $?');
    expect(await write()).toBe('1');
    expect((await engine.get('vmi', 'one')).status).toMatchObject({ phase: 'Running' });
    expect(await conditionOf('one', 'Paused')).toBeUndefined();
    await engine.exec('one', `rm ${filler}`);
    expect(await write()).toBe('0');
  });

  test('UEFI variables and the TPM keep their content while their VM is stopped', async () => {
    const variable = '/sys/firmware/efi/efivars/Kept-6d6b6cd1-7ab8-4d1c-b2a7-3b2c7e4e5a10';
    const mount = 'mount -t efivarfs none /sys/firmware/efi/efivars';
    // an index that the owner writes and reads, of 8 bytes
    const [owner, index] = ['40000001', '01800001'];
    const define = tpmCommand('0000012a', owner, `0000000e${index}000b0002000200000008`);
    const write = tpmCommand('00000137', owner + index, `0008${Buffer.from('survives').toString('hex')}0000`);
    const read = tpmCommand('0000014e', owner + index, '00080000');
    const tpm = (vm: string, command: string): Promise<string> =>
      inGuest(
        engine,
        vm,
        `exec 3<>/dev/tpm0; printf '${command}' >&3; dd bs=4096 count=1 <&3 2>/dev/null | tail -c +7`,
      );
    expect(
      await inGuest(engine, 'two', `${mount} && printf '\\007\\000\\000\\000kept' >${variable} && echo done`),
    ).toBe('done');
    for (const command of [define, write]) expect((await tpm('two', command)).slice(0, 4)).toBe('\0\0\0\0');

    await patch(['vm', 'two'], { spec: { runStrategy: 'Halted' } });
    await engine.vmBecomes('two', 'Stopped');
    await patch(['vm', 'two'], { spec: { runStrategy: 'Always' } });
    await eventually(() => inGuest(engine, 'two', 'true'), { everyMs: 500 });
    expect(await inGuest(engine, 'two', `${mount} && tail -c +5 ${variable}`)).toBe('kept');
    expect(await tpm('two', read)).toContain('survives');
    const [held] = await engine.list('pvc', '-l', 'persistent-state-for=two');
    expect(held.spec).toMatchObject({ storageClassName: 'local', accessModes: ['ReadWriteMany'] });
  });

  test('files that are not given to VMs are rejected, and so are devices that do not understand SCSI', async () => {
    const file = join(node, 'host/root.img');
    writeFileSync(file, 'secret', { mode: 0o600 });
    const taken = { root: { hostDisk: { path: file, type: 'DiskOrCreate', capacity: '8Mi' } } };
    await engine.mustApply([
      claim('lun', { resources: size('16Mi'), volumeMode: 'Block' }),
      machine('thief', taken),
      machine('lun', { root: { persistentVolumeClaim: { claimName: 'lun' } } }, { lun: { bus: 'scsi' } }),
    ]);
    await eventually(async () => {
      expect(await conditionOf('thief', 'Synchronized')).toMatchObject({
        reason: 'HostDiskFailed',
        message: expect.stringMatching(/root.img belongs to 0:0 with mode 0600; .* run "chown 107:107 /),
      });
      expect(await conditionOf('lun', 'Synchronized')).toMatchObject({
        reason: 'DiskUnusable',
        message: expect.stringMatching(/SCSI.*; use disk instead of lun/),
      });
    });
    expect(statSync(file)).toMatchObject({ uid: 0, gid: 0, size: 6 });
  });
});

/** Octal escapes for printf: a command for the owner of a TPM, whose password is empty. */
function tpmCommand(code: string, handles: string, parameters: string): string {
  // TPM_RS_PW without nonce and password
  const authorization = '00000009' + '40000009' + '0000' + '00' + '0000';
  const body = code + handles + authorization + parameters;
  const size = (6 + body.length / 2).toString(16).padStart(8, '0');
  const bytes = Buffer.from(`8002${size}${body}`, 'hex');
  return [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

interface Domain {
  devices: { disks: object[]; tpm?: object };
  firmware?: object;
}

interface Machine {
  spec: { template: { spec: { domain: Domain; volumes: object[] } } };
}
