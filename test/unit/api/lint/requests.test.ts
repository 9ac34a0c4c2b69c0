import type { Loose } from '../fixtures';
import { object, pool, together, vm } from './worlds';

const cases = (rows: [string, Loose[], string[]][]) =>
  test.each(rows)('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));

const card = { interfaces: [{ name: 'default', masquerade: {}, macAddress: '02:00:00:00:00:01' }] };
const nets = { networks: [{ name: 'default', pod: {} }] };
const source = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'web' };
/** A VM with fields of its instance spec. */
const withSpec = (name: string, spec: Loose): Loose => {
  const made = vm(name);
  Object.assign(made.spec.template.spec, spec);
  return made;
};

describe('a clone', () => {
  const clone = (spec: Loose): Loose =>
    object('clone.kubevirt.io/v1beta1', 'VirtualMachineClone', 'copy', { source, ...spec });
  const web = vm('web', { ...card, ...nets });
  cases([
    ['may have a new address', [web, clone({ newMacAddresses: { default: '02:00:00:00:00:02' } })], []],
    [
      'has the interfaces of its source',
      [web, clone({ newMacAddresses: { eth0: '02:00:00:00:00:02' } })],
      ['clone-interface spec.newMacAddresses.eth0'],
    ],
    [
      'has another address than its source',
      [web, clone({ newMacAddresses: { default: '02:00:00:00:00:01' } })],
      ['clone-interface spec.newMacAddresses.default'],
    ],
    [
      'has another address than its source, in any notation',
      [web, clone({ newMacAddresses: { default: '0200.0000.0001' } })],
      ['clone-interface spec.newMacAddresses.default'],
    ],
    ['is accepted without its source', [clone({ newMacAddresses: { eth0: '02:00:00:00:00:02' } })], []],
    [
      'has a name that a VM can have',
      [clone({ target: { ...source, name: 'Copy' } })],
      ['target-name spec.target.name'],
    ],
  ]);
});

describe('a migration', () => {
  const migration = (spec: Loose = {}): Loose =>
    object('kubevirt.io/v1', 'VirtualMachineInstanceMigration', 'go', { vmiName: 'web', ...spec });
  const racked = withSpec('web', { nodeSelector: { rack: 'r1' } });
  const bridged = vm('web', { networks: nets.networks, interfaces: [{ name: 'default', bridge: {} }] });
  cases([
    ['of a guest that can move is accepted', [vm('web', { ...card, ...nets }), migration()], []],
    ['to nodes that fit is accepted', [racked, migration({ addedNodeSelector: { zone: 'b', rack: 'r1' } })], []],
    [
      'to nodes that do not fit is reported',
      [racked, migration({ addedNodeSelector: { rack: 'r2' } })],
      ['migration-selector spec.addedNodeSelector.rack'],
    ],
    ["of a guest with the Pod's address is reported", [bridged, migration()], ['migration-stays spec.vmiName']],
    [
      'of a guest on a claim of one node is reported',
      [
        object('v1', 'PersistentVolumeClaim', 'root', { accessModes: ['ReadWriteOnce'] }),
        withSpec('web', { volumes: [{ name: 'root', persistentVolumeClaim: { claimName: 'root' } }] }),
        migration(),
      ],
      ['migration-stays spec.vmiName'],
    ],
    ['of a guest that is not declared is accepted', [migration({ addedNodeSelector: { rack: 'r2' } })], []],
  ]);
});

describe('a restore', () => {
  const snapshot = object('snapshot.kubevirt.io/v1beta1', 'VirtualMachineSnapshot', 'monday', { source });
  const web = withSpec('web', { volumes: [{ name: 'root', dataVolume: { name: 'root' } }] });
  const restore = (volumeName: string): Loose =>
    object('snapshot.kubevirt.io/v1beta1', 'VirtualMachineRestore', 'back', {
      target: source,
      virtualMachineSnapshotName: 'monday',
      volumeRestoreOverrides: [{ volumeName, restoreName: 'new' }],
    });
  cases([
    ['may rename a volume', [web, snapshot, restore('root')], []],
    [
      'reports a volume that the VM does not have',
      [web, snapshot, restore('rot')],
      ['restore-override spec.volumeRestoreOverrides[0].volumeName'],
    ],
    ['of a snapshot that is not declared is accepted', [web, restore('rot')], []],
  ]);
});

describe('an export', () => {
  const lasting = (ttlDuration: string): Loose =>
    object('export.kubevirt.io/v1', 'VirtualMachineExport', 'out', { source, ttlDuration });
  cases([
    ['may last an hour', [lasting('1h')], []],
    ['must last', [lasting('0s')], ['export-ttl spec.ttlDuration']],
  ]);
});

describe('a migration policy', () => {
  const policy = (spec: Loose): Loose =>
    object('migrations.kubevirt.io/v1alpha1', 'MigrationPolicy', 'careful', { selectors: {}, ...spec });
  cases([
    ['may allow post-copy', [policy({ allowPostCopy: true })], []],
    [
      'cannot allow post-copy without disruption',
      [policy({ allowPostCopy: true, allowWorkloadDisruption: false })],
      ['migration-post-copy spec.allowPostCopy'],
    ],
  ]);
});

describe('a budget or an autoscaler', () => {
  const labels = { tier: 'web' };
  const budget = (name: string, minAvailable = 1): Loose =>
    object('policy/v1', 'PodDisruptionBudget', name, { minAvailable, selector: { matchLabels: labels } });
  const scaler = (name: string, spec: Loose = {}): Loose =>
    object('autoscaling/v2', 'HorizontalPodAutoscaler', name, {
      scaleTargetRef: { kind: 'VirtualMachinePool', name: 'web' },
      ...spec,
    });
  const busy = (averageValue: string): Loose =>
    scaler('load', { metrics: [{ resource: { name: 'cpu', target: { averageValue } } }] });
  const open = pool('web', { labels });
  delete open.spec.replicas;
  cases([
    ['below the minimum of the autoscaler is accepted', [scaler('load', { minReplicas: 3 }), open, budget('a', 2)], []],
    [
      'at the minimum of the autoscaler is reported',
      [scaler('load', { minReplicas: 2 }), open, budget('a', 2)],
      ['budget-replicas spec.minAvailable'],
    ],
    [
      'is alone for its guests',
      [pool('web', { labels }, 3), budget('a'), budget('b')],
      ['budget-one-each spec.selector'],
    ],
    ['is the only autoscaler of a set', [open, scaler('a'), scaler('b')], ['autoscaler-one spec.scaleTargetRef.name']],
    ['counts CPUs that a guest has', [open, busy('700m')], []],
    [
      'reports a load that no guest reaches',
      [open, busy('70')],
      ['autoscaler-reach spec.metrics[0].resource.target.averageValue'],
    ],
  ]);
});

describe('a Service or an Ingress', () => {
  const service = (name: string, nodePort: number, protocol = 'TCP'): Loose =>
    object('v1', 'Service', name, { type: 'NodePort', ports: [{ port: 80, nodePort, protocol }] });
  const ingress = (name: string, path: string, ingressClassName = 'nginx'): Loose =>
    object('networking.k8s.io/v1', 'Ingress', name, {
      ingressClassName,
      rules: [{ host: 'shop.example', http: { paths: [{ path, pathType: 'Prefix' }] } }],
    });
  cases([
    ['has a node port of its own', [service('a', 30080), service('b', 30081)], []],
    ['may have the number for another protocol', [service('a', 30053), service('b', 30053, 'UDP')], []],
    [
      'reports a node port that another has',
      [service('a', 30080), service('b', 30080)],
      ['node-port-unique spec.ports[0].nodePort'],
    ],
    ['has a path of its own', [ingress('a', '/'), ingress('b', '/api')], []],
    ['may have the path in another class', [ingress('a', '/'), ingress('b', '/', 'traefik')], []],
    [
      'reports a path that another has',
      [ingress('a', '/'), ingress('b', '/')],
      ['ingress-route-unique spec.rules[0].http.paths[0].path'],
    ],
  ]);
});

describe('a reference', () => {
  const typed = (name: string, field: string, matcher: Loose): Loose => {
    const made = vm(name);
    made.spec[field] = matcher;
    return made;
  };
  const api = 'instancetype.kubevirt.io/v1beta1';
  const small = object(api, 'VirtualMachineInstancetype', 'small', {});
  const linux = object(api, 'VirtualMachineClusterPreference', 'linux', {});
  const files = (name: string): Loose => withSpec('web', { volumes: [{ name: 'files', configMap: { name } }] });
  const settings = object('v1', 'ConfigMap', 'settings', undefined);
  cases([
    ['to a declared ConfigMap is accepted', [settings, files('settings')], []],
    ['to a ConfigMap of the cluster is accepted', [settings, files('certificates')], []],
    [
      'to a misspelt ConfigMap is reported',
      [settings, files('setings')],
      [`reference-name spec.template.spec.volumes[0].configMap.name`],
    ],
    [
      'to a misspelt preference is reported',
      [linux, typed('web', 'preference', { name: 'linxu' })],
      ['reference-name spec.preference.name'],
    ],
    [
      'to an instance type of the namespace as one of the cluster is reported',
      [small, typed('web', 'instancetype', { name: 'small' })],
      ['reference-kind spec.instancetype.name'],
    ],
    [
      'to an instance type by its kind is accepted',
      [small, typed('web', 'instancetype', { name: 'small', kind: 'VirtualMachineInstancetype' })],
      [],
    ],
  ]);
});

describe('static addresses', () => {
  const mac = '02:00:00:00:00:0a';
  const addressed = (name: string, networkData: string, networkName = 'lan', macAddress = mac): Loose =>
    withSpec(name, {
      networks: [{ name: 'lan', multus: { networkName } }],
      domain: {
        devices: {
          interfaces: [{ name: 'lan', bridge: {}, macAddress: name === 'a' ? macAddress : undefined }],
        },
      },
      volumes: [{ name: 'init', cloudInitNoCloud: { networkData } }],
    });
  const device = (text: string): string => `version: 2\nethernets:\n  eth0: { ${text} }\n`;
  const at = 'spec.template.spec.volumes[0].cloudInitNoCloud.networkData';
  const one = addressed('a', device('addresses: [192.0.2.10/24]'));
  cases([
    ['differ on one network', [one, addressed('b', device('addresses: [192.0.2.11/24]'))], []],
    ['may be equal on two networks', [one, addressed('b', device('addresses: [192.0.2.10/24]'), 'wan')], []],
    [
      'are reported when they are equal',
      [one, addressed('b', device('addresses: [192.0.2.10/24]'))],
      [`address-unique ${at}`],
    ],
    ['may be of a card that the guest has', [addressed('a', device('match: { macaddress: "02:00:00:00:00:0A" }'))], []],
    [
      'may be of a card whose address has another notation',
      [addressed('a', device(`match: { macaddress: "${mac}" }`), 'lan', '0200.0000.000A')],
      [],
    ],
    [
      'are reported for a card that the guest does not have',
      [addressed('a', device('match: { macaddress: "02:00:00:00:00:0b" }'))],
      [`cloud-network-card ${at}`],
    ],
    [
      'may be of a card without a fixed address',
      [addressed('b', device('match: { macaddress: "02:00:00:00:00:0b" }'))],
      [],
    ],
  ]);
});

describe('the network of migrations', () => {
  const platform = (network: string): Loose =>
    object(
      'kubevirt.io/v1',
      'KubeVirt',
      'kubevirt',
      { configuration: { migrations: { network } } },
      { namespace: 'kubevirt' },
    );
  const attachment = (namespace: string): Loose =>
    object('k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', 'fast', { config: '{}' }, { namespace });
  const at = 'migration-network spec.configuration.migrations.network';
  cases([
    ['is in the namespace of the platform', [attachment('kubevirt'), platform('fast')], []],
    ['may be in the cluster', [platform('fast')], []],
    ['is reported in another namespace', [attachment('shop'), platform('fast')], [at]],
    ['is reported with a namespace', [platform('kubevirt/fast')], [at]],
  ]);
});
