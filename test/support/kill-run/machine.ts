import { tinyVm, type TestEngine } from '../engine';
import { GUEST_SHELL, inGuest } from '../guest-shell';
import { insist } from './killer';

const NAME = 'db';
const AGENT = `${GUEST_SHELL}runcmd:\n  - agent\n`;
const DISK_MIB = 8;
/** The disk `data`, and the first disk that is attached while the guest runs. */
const DEVICES = { data: '/dev/vdb', extra: '/dev/sda' } as const;

interface Volume {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** VM of a run: its disk `data` is taken and restored, and `extra` is attached and detached. Both are claims. */
export class Machine {
  /** MD5 of the content that each disk must have. */
  private readonly digests: Partial<Record<keyof typeof DEVICES, string>> = {};

  public constructor(private readonly engine: TestEngine) {}

  public async start(): Promise<void> {
    const vm = tinyVm(NAME, { memory: '128Mi', userData: AGENT, graceSeconds: 5 }) as {
      spec: { template: { spec: { domain: { devices: { disks: object[] } }; volumes: object[] } } };
    };
    const { domain, volumes } = vm.spec.template.spec;
    domain.devices.disks.splice(1, 0, { name: 'data', disk: { bus: 'virtio' } });
    volumes.push({ name: 'data', persistentVolumeClaim: { claimName: 'data' } });
    await this.engine.mustApply([claim('data'), claim('extra'), vm]);
    await this.answers();
  }

  /** Attaches the second disk, writes and reads it, and detaches it again. */
  public async hotplug(): Promise<void> {
    await this.edit(({ volumes, disks }) => {
      add(volumes, { name: 'extra', persistentVolumeClaim: { claimName: 'extra', hotpluggable: true } });
      add(disks, { name: 'extra', disk: { bus: 'scsi' } });
    });
    await insist(async () => {
      const { status } = await this.engine.get('vmi', NAME);
      const volume = status.volumeStatus?.find(({ name }: Volume) => name === 'extra');
      if (volume?.phase !== 'Ready') throw new Error(`extra is not attached: ${JSON.stringify(volume)}`);
    });
    await this.verify('extra');
    await this.write('extra');
    await this.verify('extra');
    await this.edit(({ volumes, disks }) => [volumes, disks].forEach((list) => remove(list, 'extra')));
    await insist(async () => {
      const { status } = await this.engine.get('vmi', NAME);
      const volume = status.volumeStatus?.find(({ name }: Volume) => name === 'extra');
      if (volume) throw new Error(`extra is still attached: ${JSON.stringify(volume)}`);
    });
  }

  /** Takes a snapshot, changes the disk, and restores it in place. */
  public async restore(round: number): Promise<void> {
    const taken = await this.write('data');
    const [snapshot, restore] = [`taken-${round}`, `back-${round}`];
    const target = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: NAME };
    await this.create('VirtualMachineSnapshot', snapshot, { source: target });
    await this.reaches('vmsnapshot', snapshot, ({ readyToUse }) => readyToUse === true);
    await this.write('data');
    await this.create('VirtualMachineRestore', restore, {
      ...{ target, virtualMachineSnapshotName: snapshot },
      ...{ targetReadinessPolicy: 'StopTarget', volumeRestorePolicy: 'InPlace' },
    });
    await this.reaches('vmrestore', restore, ({ complete }) => complete === true);
    this.digests.data = taken;
    const body = '{"spec":{"runStrategy":"Always"}}';
    await insist(() => this.engine.kubectl('patch', 'vm', NAME, '--type=merge', '-p', body));
    await this.answers();
    await this.verify('data');
    for (const [kind, name] of [
      ['vmrestore', restore],
      ['vmsnapshot', snapshot],
    ] as const) {
      await insist(() => this.engine.kubectl('delete', kind, name, '--ignore-not-found', '--timeout=1m'));
    }
  }

  /** Compares a disk with what the guest wrote last, if it wrote anything. */
  public async verify(disk: keyof typeof DEVICES): Promise<void> {
    const wanted = this.digests[disk];
    const got = await insist(() => this.digest(disk));
    if (wanted !== undefined && got !== wanted) throw new Error(`disk ${disk} has the digest ${got}, not ${wanted}`);
  }

  /** Writes the whole disk with new content. Returns its digest. */
  private async write(disk: keyof typeof DEVICES): Promise<string> {
    const device = DEVICES[disk];
    const script = `dd if=/dev/urandom of=/tmp/new bs=1M count=${DISK_MIB} 2>/dev/null && dd if=/tmp/new of=${device} bs=1M conv=fsync 2>/dev/null && md5sum </tmp/new`;
    const digest = await insist(() => this.run(script));
    this.digests[disk] = digest;
    return digest;
  }

  private digest(disk: keyof typeof DEVICES): Promise<string> {
    // not from the guest's cache, which would hide what its disk has
    return this.run(
      `echo 3 >/proc/sys/vm/drop_caches; dd if=${DEVICES[disk]} bs=1M count=${DISK_MIB} 2>/dev/null | md5sum`,
    );
  }

  private async run(script: string): Promise<string> {
    const [, digest] = /^([0-9a-f]{32}) /.exec(await inGuest(this.engine, NAME, script)) ?? [];
    if (digest === undefined) throw new Error(`the guest did not run ${script}`);
    return digest;
  }

  private async answers(): Promise<void> {
    await insist(() => inGuest(this.engine, NAME, 'true'));
  }

  private create(kind: string, name: string, spec: object): Promise<void> {
    const object = { apiVersion: 'snapshot.kubevirt.io/v1beta1', kind, metadata: { name, namespace: 'default' }, spec };
    return insist(() => this.engine.mustApply(object));
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any status
  private reaches(kind: string, name: string, is: (status: any) => boolean): Promise<void> {
    return insist(async () => {
      const { status } = await this.engine.get(kind, name);
      if (!status || !is(status)) throw new Error(`${kind} ${name}: ${JSON.stringify(status)}`);
    });
  }

  /** Changes the template of the VM. */
  private edit(change: (lists: { volumes: Volume[]; disks: Volume[] }) => void): Promise<unknown> {
    return insist(async () => {
      const { spec } = (await this.engine.get('vm', NAME)).spec.template;
      const lists = { volumes: spec.volumes, disks: spec.domain.devices.disks };
      change(lists);
      const template = { spec: { volumes: lists.volumes, domain: { devices: { disks: lists.disks } } } };
      const body = JSON.stringify({ spec: { template } });
      return this.engine.kubectl('patch', 'vm', NAME, '--type=merge', '-p', body);
    });
  }
}

const claim = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: 'default' },
  spec: { accessModes: ['ReadWriteOnce'], volumeMode: 'Block', resources: { requests: { storage: `${DISK_MIB}Mi` } } },
});

function add(list: Volume[], item: Volume): void {
  if (!list.some(({ name }) => name === item.name)) list.push(item);
}

function remove(list: Volume[], name: string): void {
  const index = list.findIndex((item) => item.name === name);
  if (index >= 0) list.splice(index, 1);
}
