import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, eventually, GUEST, NAMESPACE, ready } from './cluster';
import { tinyVm } from './guests';

const BLANK = 'blank';
const BLANK_MIB = 64;
const PLUGGED = 'plugged';
const DISKED = 'disked';
const SNAPSHOT = 'before-edit';

/** A case that is only possible with a default storage class. */
export const withClass =
  (run: (cluster: Cluster) => Promise<void>) =>
  async (cluster: Cluster): Promise<string | void> => {
    const { items } = await cluster.get('storageclasses');
    const hasDefault = items.some(
      ({ metadata }: { metadata: { annotations?: Record<string, string> } }) =>
        metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true',
    );
    return hasDefault ? run(cluster) : 'the cluster has no default storage class';
  };

/** A case whose disk is the image of the guest, which the nodes read as image volumes. */
export const withImage =
  (run: (cluster: Cluster) => Promise<void>) =>
  async (cluster: Cluster): Promise<string | void> =>
    cluster.options.sideContainers ? 'nodes read images into claims only with image volumes' : withClass(run)(cluster);

/** As {@link withImage}, for VMs that may be on another node than the disk that they are copies of. */
export const withSharedImage =
  (run: (cluster: Cluster) => Promise<void>) =>
  async (cluster: Cluster): Promise<string | void> => {
    const nodes = (await cluster.get('nodes')).items;
    const volumes = (await cluster.get('persistentvolumes')).items as { spec: { nodeAffinity?: object } }[];
    if (nodes.length > 1 && volumes.some(({ spec }) => spec.nodeAffinity))
      return 'volumes belong to certain nodes, and a disk is only copied to where its source can be mounted';
    return withImage(run)(cluster);
  };

/** Claim that every class can provide, also one whose provisioner has no StorageProfile. */
const claim = (size: string): object => ({
  accessModes: ['ReadWriteOnce'],
  volumeMode: 'Filesystem',
  resources: { requests: { storage: size } },
});

const object = (apiVersion: string, kind: string, name: string, spec: object): object => ({
  apiVersion,
  kind,
  metadata: { name, namespace: NAMESPACE },
  spec,
});

/** A DataVolume of zeros; it is filled without a Pod that uses it if `isImmediate`. */
const blankVolume = (name: string, isImmediate: boolean): object => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'DataVolume',
  metadata: {
    name,
    namespace: NAMESPACE,
    annotations: isImmediate ? { 'cdi.kubevirt.io/storage.bind.immediate.requested': 'true' } : {},
  },
  spec: { source: { blank: {} }, storage: claim(`${BLANK_MIB}Mi`) },
});

export const blank = withClass(async (cluster) => {
  await cluster.apply([blankVolume(BLANK, true)]);
  await cluster.kubectl(
    ...['wait', `dv/${BLANK}`, '-n', NAMESPACE, '--for=jsonpath={.status.phase}=Succeeded', '--timeout=120s'],
  );
});

export const hotplug = withClass(async (cluster) => {
  const has = (count: number): Promise<void> =>
    eventually(90_000, async () => {
      const text = await cluster.console(GUEST, 'echo disks: $(ls /sys/block | grep -c ^sd)');
      if (text.includes(`disks: ${count}`)) return;
      const { status } = await cluster.get(`vmi/${GUEST}`, '-n', NAMESPACE);
      throw new Error(`the guest has not ${count} disks: ${text.slice(-100)} ${JSON.stringify(status.volumeStatus)}`);
    });
  // storage of a node is taken from that of the guest
  await cluster.apply([blankVolume(PLUGGED, false)]);
  await cluster.virt8s('addvolume', GUEST, `--volume-name=${PLUGGED}`);
  await has(1);
  await cluster.virt8s('removevolume', GUEST, `--volume-name=${PLUGGED}`);
  await has(0);
});

/** The image of the guest is read by the container runtime of a node, which may know mirrors and logins. */
export const imported = withImage(async (cluster) => {
  const registry = { url: `docker://${cluster.options.guestImage}`, pullMethod: 'node' };
  const vm = tinyVm(DISKED, cluster.options) as {
    spec: {
      dataVolumeTemplates?: object[];
      template: { spec: { volumes: object[]; domain: { devices: { disks: object[] } } } };
    };
  };
  vm.spec.dataVolumeTemplates = [
    { metadata: { name: 'disked-root' }, spec: { source: { registry }, storage: claim('1Gi') } },
    { metadata: { name: 'disked-data' }, spec: { source: { blank: {} }, storage: claim(`${BLANK_MIB}Mi`) } },
  ];
  const { volumes, domain } = vm.spec.template.spec;
  volumes[0] = { name: 'root', dataVolume: { name: 'disked-root' } };
  volumes.push({ name: 'data', dataVolume: { name: 'disked-data' } });
  domain.devices.disks.splice(1, 0, { name: 'data', disk: { bus: 'virtio' } });
  await cluster.apply([vm]);
  await ready(cluster, DISKED);
  await eventually(120_000, () => cluster.guest(DISKED));
});

export const snapshot = withImage(async (cluster) => {
  await write(cluster, 'before');
  const source = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: DISKED };
  await cluster.apply([object('snapshot.kubevirt.io/v1beta1', 'VirtualMachineSnapshot', SNAPSHOT, { source })]);
  await cluster.kubectl(
    ...['wait', `vmsnapshot/${SNAPSHOT}`, '-n', NAMESPACE, '--for=jsonpath={.status.readyToUse}=true'],
    '--timeout=120s',
  );
  await write(cluster, 'after');
  const { bootId } = await cluster.guest(DISKED);
  const spec = { target: source, virtualMachineSnapshotName: SNAPSHOT, targetReadinessPolicy: 'StopTarget' };
  await cluster.apply([object('snapshot.kubevirt.io/v1beta1', 'VirtualMachineRestore', 'undo', spec)]);
  await cluster.kubectl(
    ...['wait', 'vmrestore/undo', '-n', NAMESPACE, '--for=jsonpath={.status.complete}=true', '--timeout=180s'],
  );
  await cluster.kubectl(
    ...['patch', `vm/${DISKED}`, '-n', NAMESPACE, '--type=merge', '-p', '{"spec":{"runStrategy":"Always"}}'],
  );
  await eventually(180_000, async () => {
    if ((await cluster.guest(DISKED)).bootId === bootId) throw new Error('the guest has not booted again');
  });
  await reads(cluster, 'before');
  await cluster.kubectl('delete', `vm/${DISKED}`, '-n', NAMESPACE, '--timeout=120s');
});

async function write(cluster: Cluster, text: string): Promise<void> {
  await eventually(60_000, async () => {
    await cluster.console(DISKED, `echo ${text} | dd of=/dev/vdb bs=512 conv=fsync`);
    await reads(cluster, text, 0);
  });
}

const reads = (cluster: Cluster, text: string, limitMs = 60_000): Promise<void> =>
  eventually(limitMs, async () => {
    const printed = await cluster.console(
      DISKED,
      'echo holds: $(dd if=/dev/vdb bs=512 count=1 2>/dev/null | head -n1)',
    );
    if (!new RegExp(`^holds: ${text}\\r?$`, 'm').test(printed))
      throw new Error(`not "${text}": ${printed.slice(-200)}`);
  });

export const exported = withClass(async (cluster) => {
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-export-'));
  try {
    const file = join(folder, 'disk.img');
    await cluster.virt8s('vmexport', 'download', 'copy', `--pvc=${BLANK}`, `--output=${file}`, '--format=raw');
    const mebibytes = statSync(file).size / 2 ** 20;
    // the disk takes what the file system leaves of the claim, which may be larger than requested
    if (mebibytes < 0.75 * BLANK_MIB) throw new Error(`the disk has ${mebibytes} MiB, not about ${BLANK_MIB}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
