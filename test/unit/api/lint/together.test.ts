import type { Loose } from '../fixtures';
import { object, pool, replicaSet, together, vm } from './worlds';

const at = 'spec.template.spec';
const named = (kind: string, name: string, fields: Loose): Loose => ({
  apiVersion: 'v1',
  kind,
  metadata: { name },
  ...fields,
});
const secret = (name: string, stringData: Loose): Loose => named('Secret', name, { stringData });
/** A VM with these volumes, and a disk for each. */
const withVolumes = (name: string, volumes: Loose[], spec: Loose = {}, more: Loose = {}): Loose =>
  object('kubevirt.io/v1', 'VirtualMachine', name, {
    runStrategy: 'Always',
    ...more,
    template: {
      spec: {
        ...spec,
        domain: { devices: { disks: volumes.map((each) => ({ name: each.name, disk: {} })) }, ...spec.domain },
        volumes,
      },
    },
  });
const image = { name: 'root', containerDisk: { image: 'registry.example/os:1' } };
const claim = { name: 'data', persistentVolumeClaim: { claimName: 'data' } };
const cases = (rows: [string, Loose[], string[]][]) =>
  test.each(rows)('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));

describe('a disruption budget', () => {
  const labels = { tier: 'web' };
  const budget = (minAvailable: Loose): Loose =>
    object('policy/v1', 'PodDisruptionBudget', 'budget', { minAvailable, selector: { matchLabels: labels } });
  const scaler = object('autoscaling/v2', 'HorizontalPodAutoscaler', 'scaler', {
    scaleTargetRef: { kind: 'VirtualMachinePool', name: 'web' },
  });
  const reported = ['budget-replicas spec.minAvailable'];
  const withoutReplicas = pool('web', { labels });
  delete withoutReplicas.spec.replicas;
  cases([
    ['leaves room below the replicas', [pool('web', { labels }, 3), budget(2)], []],
    ['blocks each eviction at the replicas', [pool('web', { labels }, 3), budget(3)], reported],
    ['blocks each eviction above the replicas', [replicaSet('web', { labels }, 2), budget(3)], reported],
    ['counts all that it selects', [pool('a', { labels }, 2), pool('b', { labels }, 1), budget(2)], []],
    ['of nothing is accepted', [pool('web', { labels }, 2), budget(0)], []],
    ['of other guests is accepted', [pool('web', { labels: { tier: 'db' } }, 2), budget(2)], []],
    ['of a VM alone is accepted', [vm('web', { labels }), budget(1)], []],
    ['of a pool whose size is open is accepted', [withoutReplicas, budget(2)], []],
    ['of a pool that an autoscaler sizes is accepted', [scaler, pool('web', { labels }, 2), budget(2)], []],
  ]);
});

describe('replicas', () => {
  const scaler = (kind: string, name: string): Loose =>
    object('autoscaling/v2', 'HorizontalPodAutoscaler', 'scaler', { scaleTargetRef: { kind, name } });
  const open = pool('web');
  delete open.spec.replicas;
  cases([
    [
      'beside an autoscaler are reported',
      [scaler('VirtualMachinePool', 'web'), pool('web')],
      ['replicas-autoscaled spec.replicas'],
    ],
    [
      'of a replica set, too',
      [scaler('VirtualMachineInstanceReplicaSet', 'web'), replicaSet('web')],
      ['replicas-autoscaled spec.replicas'],
    ],
    ['that are left out are accepted', [scaler('VirtualMachinePool', 'web'), open], []],
    ['of another pool are accepted', [scaler('VirtualMachinePool', 'db'), pool('web')], []],
  ]);
});

describe('network data of a set', () => {
  const set = (networkData: string, replicas = 2): Loose => {
    const made = pool('web', {}, replicas);
    made.spec.virtualMachineTemplate.spec.template.spec.volumes = [{ name: 'init', cloudInitNoCloud: { networkData } }];
    return made;
  };
  const fixed = 'version: 2\nethernets:\n  eth0:\n    addresses: [192.0.2.10/24]\n';
  const servers = 'version: 2\nethernets:\n  eth0:\n    dhcp4: true\n    nameservers:\n      addresses: [192.0.2.1]\n';
  const reported = [
    'address-unique spec.virtualMachineTemplate.spec.template.spec.volumes[0].cloudInitNoCloud.networkData',
  ];
  cases([
    ['with a static address is reported', [set(fixed)], reported],
    ['with a static address for one guest is accepted', [set(fixed, 1)], []],
    ['with name servers is accepted', [set(servers)], []],
  ]);
});

describe('a copy', () => {
  const exported = object('export.kubevirt.io/v1', 'VirtualMachineExport', 'out', {
    source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'web' },
  });
  const schedule = (name: string): Loose =>
    object('batch/v1', 'CronJob', 'nightly', {
      schedule: '@daily',
      jobTemplate: {
        spec: {
          template: {
            metadata: { labels: { 'virt8s.io/snapshot-schedule': 'nightly' } },
            spec: { containers: [{ env: [{ name: 'SPEC', value: JSON.stringify({ source: { name } }) }] }] },
          },
        },
      },
    });
  const snapshot = object('snapshot.kubevirt.io/v1beta1', 'VirtualMachineSnapshot', 'monday', {
    source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'web' },
  });
  const restore = (name: string): Loose =>
    object('snapshot.kubevirt.io/v1beta1', 'VirtualMachineRestore', 'back', {
      target: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name },
      virtualMachineSnapshotName: 'monday',
    });
  const clone = (name: string): Loose =>
    object('clone.kubevirt.io/v1beta1', 'VirtualMachineClone', 'copy', {
      source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'web' },
      target: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name },
    });
  const migration = object('kubevirt.io/v1', 'VirtualMachineInstanceMigration', 'move', { vmiName: 'web' });
  cases([
    ['of a VM with a claim is accepted', [withVolumes('web', [image, claim]), exported], []],
    [
      'of a VM without claims is reported',
      [withVolumes('web', [image]), exported],
      ['export-volumes spec.source.name'],
    ],
    ['of a VM that is not declared is accepted', [exported], []],
    ['by schedule is accepted', [withVolumes('web', [claim]), schedule('web')], []],
    [
      'by schedule of a VM without claims is reported',
      [withVolumes('web', [image]), schedule('web')],
      ['snapshot-volumes spec.jobTemplate'],
    ],
    [
      'by schedule of a misspelt VM is reported',
      [withVolumes('database', [claim]), schedule('databse')],
      ['reference-name spec.jobTemplate'],
    ],
    ['is restored to its own VM', [vm('web'), snapshot, restore('web')], []],
    ['is restored to a new VM', [vm('web'), snapshot, restore('copy')], []],
    [
      'is not restored to another VM',
      [vm('web'), vm('db'), snapshot, restore('db')],
      ['restore-target spec.target.name'],
    ],
    ['is a new VM', [vm('web'), clone('copy')], []],
    ['is not the VM itself', [vm('web'), clone('web')], ['clone-target spec.target.name']],
    [
      'to another node needs an instance',
      [object('kubevirt.io/v1', 'VirtualMachine', 'web', { runStrategy: 'Halted' }), migration],
      ['migration-halted spec.vmiName'],
    ],
    ['to another node has an instance', [vm('web'), migration], []],
  ]);
});

describe('keys of a Secret', () => {
  const pull = withVolumes('web', [
    { ...image, containerDisk: { image: 'registry.example/os:1', imagePullSecret: 's' } },
  ]);
  const ingress = object('networking.k8s.io/v1', 'Ingress', 'web', { tls: [{ secretName: 's' }] });
  const exported = object('export.kubevirt.io/v1', 'VirtualMachineExport', 'out', { tokenSecretRef: 's' });
  const credential = (kind: string): Loose =>
    withVolumes('web', [], { accessCredentials: [{ [kind]: { source: { secret: { secretName: 's' } } } }] });
  const where = (kind: string): string => `${at}.accessCredentials[0].${kind}.source.secret.secretName`;
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILW7aSsw7cpDlOyQG5vhME4g60ABK3Hg1Jp1/QpvmPKT me';
  cases([
    ['for a registry are there', [secret('s', { '.dockerconfigjson': '{}' }), pull], []],
    [
      'for a registry are missing',
      [secret('s', { username: 'me' }), pull],
      [`secret-key ${at}.volumes[0].containerDisk.imagePullSecret`],
    ],
    ['for an Ingress are there', [secret('s', { 'tls.crt': '', 'tls.key': '' }), ingress], []],
    [
      'for an Ingress are missing in part',
      [secret('s', { 'tls.crt': '' }), ingress],
      ['secret-key spec.tls[0].secretName'],
    ],
    ['for a token are missing', [secret('s', { password: '' }), exported], ['secret-key spec.tokenSecretRef']],
    ['that somebody else fills are accepted', [named('Secret', 's', {}), exported], []],
    ['for passwords are names of users', [secret('s', { ops: 'x' }), credential('userPassword')], []],
    [
      'for passwords are not those of a login',
      [secret('s', { username: 'ops', password: 'x' }), credential('userPassword')],
      [`credential-user-key ${where('userPassword')}`],
    ],
    ['with ssh keys are accepted', [secret('s', { me: `# mine\n${key}\n` }), credential('sshPublicKey')], []],
    [
      'with a truncated ssh key are reported',
      [secret('s', { me: key.slice(0, 50) }), credential('sshPublicKey')],
      [`credential-ssh-key ${where('sshPublicKey')}`],
    ],
  ]);
});

describe('an interface on an attachment', () => {
  const attachment = (type: string): Loose =>
    object(
      'k8s.cni.cncf.io/v1',
      'NetworkAttachmentDefinition',
      'lan',
      { config: JSON.stringify({ type }) },
      {
        annotations: { 'k8s.v1.cni.cncf.io/resourceName': 'example.com/vf' },
      },
    );
  const guest = (binding: string): Loose =>
    vm('web', {
      networks: [{ name: 'lan', multus: { networkName: 'lan' } }],
      interfaces: [{ name: 'lan', [binding]: {} }],
    });
  const iface = `${at}.domain.devices.interfaces[0]`;
  cases([
    ['of SR-IOV is bound by sriov', [attachment('sriov'), guest('sriov')], []],
    ['of SR-IOV is not bound by bridge', [attachment('sriov'), guest('bridge')], [`sriov-binding ${iface}.bridge`]],
    ['of a bridge is bound by bridge', [attachment('bridge'), guest('bridge')], []],
  ]);
});

describe('the state of a TPM', () => {
  const guest = (evictionStrategy: string, domain: Loose): Loose =>
    withVolumes('web', [], { evictionStrategy, domain });
  const tpm = { devices: { tpm: { persistent: true } } };
  const efi = { devices: {}, firmware: { bootloader: { efi: { persistent: true } } } };
  cases([
    [
      'on a claim of one node keeps a guest that must move',
      [guest('LiveMigrate', tpm)],
      [`migration-state ${at}.domain.devices.tpm.persistent`],
    ],
    [
      'and of EFI, too',
      [guest('LiveMigrate', efi)],
      [`migration-state ${at}.domain.firmware.bootloader.efi.persistent`],
    ],
    ['of a guest that need not move is accepted', [guest('LiveMigrateIfPossible', tpm)], []],
    ['that is lost with the guest is accepted', [guest('LiveMigrate', { devices: { tpm: {} } })], []],
  ]);
});

describe('answers for Windows', () => {
  const answers = { name: 'answers', sysprep: { configMap: { name: 'answers' } } };
  const blank = (source: Loose): Loose => ({
    dataVolumeTemplates: [{ metadata: { name: 'root' }, spec: { source } }],
  });
  const root = { name: 'root', dataVolume: { name: 'root' } };
  const reported = [`sysprep-medium ${at}.volumes[1].sysprep`];
  cases([
    ['need a disk with Windows', [withVolumes('w', [{ name: 'root', emptyDisk: {} }, answers])], reported],
    ['need more than a blank disk', [withVolumes('w', [root, answers], {}, blank({ blank: {} }))], reported],
    ['are for an imported disk', [withVolumes('w', [root, answers], {}, blank({ http: {} }))], []],
    ['are for an installation medium', [withVolumes('w', [image, answers])], []],
    ['are for a disk that is not declared', [withVolumes('w', [claim, answers])], []],
  ]);
});

describe('a claim', () => {
  const data = (...accessModes: string[]): Loose =>
    named('PersistentVolumeClaim', 'data', { spec: { accessModes, resources: { requests: { storage: '1Gi' } } } });
  const guest = withVolumes('web', [claim]);
  const readOnly = withVolumes('web', [claim]);
  readOnly.spec.template.spec.domain.devices.disks[0] = { name: 'data', disk: { readonly: true } };
  const volume = (storageClassName: string): Loose =>
    object('cdi.kubevirt.io/v1beta1', 'DataVolume', 'disk', { source: { blank: {} }, storage: { storageClassName } });
  const fast = named('StorageClass', 'premium-rwx', {});
  cases([
    ['that is ReadOnlyMany is not written to', [data('ReadOnlyMany'), guest], [`claim-writable ${at}.volumes[0]`]],
    ['that is ReadOnlyMany is read', [data('ReadOnlyMany'), readOnly], []],
    ['with another mode is written to', [data('ReadOnlyMany', 'ReadWriteOnce'), guest], []],
    ['of a misspelt class is reported', [fast, volume('premum-rwx')], ['reference-name spec.storage.storageClassName']],
    ['of another class is accepted', [fast, volume('slow')], []],
  ]);
});

describe('limits of migrations', () => {
  const kubeVirt = (migrations: Loose): Loose =>
    object('kubevirt.io/v1', 'KubeVirt', 'kubevirt', { configuration: { migrations } });
  const reported = ['migration-limits spec.configuration.migrations.parallelOutboundMigrationsPerNode'];
  cases([
    ['of a node are not above those of the cluster', [kubeVirt({ parallelOutboundMigrationsPerNode: 6 })], reported],
    ['of a node may be those of the cluster', [kubeVirt({ parallelOutboundMigrationsPerNode: 5 })], []],
    ['of the cluster are not below those of a node', [kubeVirt({ parallelMigrationsPerCluster: 1 })], reported],
  ]);
});
