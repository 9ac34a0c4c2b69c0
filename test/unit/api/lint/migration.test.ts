import { clusterConfig } from '../../../../src/api';
import { lintObject, type World, worldOf } from '../../../../src/api/lint';
import type { Loose } from '../fixtures';
import { object, together, words } from './worlds';

const bridged = {
  devices: { interfaces: [{ name: 'default', bridge: {} }] },
};
const vm = (domain: Loose, more: Loose = {}, metadata: Loose = {}): Loose =>
  object('kubevirt.io/v1', 'VirtualMachine', 'db', {
    template: {
      metadata,
      spec: { evictionStrategy: 'LiveMigrate', networks: [{ name: 'default', pod: {} }], ...more, domain },
    },
  });
const at = (field: string): string => `spec.template.spec.domain.${field}`;
const moves = { annotations: { 'kubevirt.io/allow-pod-bridge-network-live-migration': '' } };

test.each<[string, Loose, string[]]>([
  ['one behind NAT moves', vm({ devices: { interfaces: [{ name: 'default', masquerade: {} }] } }), []],
  ["one with the Pod's address stays", vm(bridged), [`migration-bridge ${at('devices.interfaces[0].bridge')}`]],
  ['one that may lose this address moves', vm(bridged, {}, moves), []],
  [
    'one on another network moves',
    vm(bridged, { networks: [{ name: 'default', multus: { networkName: 'lan' } }] }),
    [],
  ],
  [
    'one with a GPU and a device stays',
    vm({ devices: { gpus: [{ name: 'a' }], hostDevices: [{ name: 'b' }] } }),
    [`migration-device ${at('devices.gpus[0]')}`, `migration-device ${at('devices.hostDevices[0]')}`],
  ],
  [
    'one with encrypted memory stays',
    vm({ launchSecurity: { sev: {} } }),
    [`migration-security ${at('launchSecurity')}`],
  ],
  [
    'one that may run on one node only stays',
    vm({}, { nodeSelector: { 'kubernetes.io/hostname': 'node-1' } }),
    ['migration-pinned spec.template.spec.nodeSelector.kubernetes.io/hostname'],
  ],
  ['one that may run in one zone moves', vm({}, { nodeSelector: { 'topology.kubernetes.io/zone': 'a' } }), []],
  ['one that is shut down instead is left alone', vm(bridged, { evictionStrategy: 'LiveMigrateIfPossible' }), []],
  ['one that says nothing is left alone', vm(bridged, { evictionStrategy: undefined }), []],
])('of guests that shall move, %s', (_, each, want) => expect(together(each)).toEqual(want));

test('a device that prevents migration is reported with its remedy', () => {
  expect(words(vm(bridged))).toEqual([
    '"default" takes over the Pod\'s address: with evictionStrategy LiveMigrate the guest cannot leave its node, so a ' +
      'drain never ends; choose masquerade, or evictionStrategy LiveMigrateIfPossible or None',
  ]);
});

test('a conflict with the instancetype hides no other mistake', () => {
  const small = object('instancetype.kubevirt.io/v1beta1', 'VirtualMachineInstancetype', 'small', {
    cpu: { guest: 2 },
    memory: { guest: '4Gi' },
  });
  const world: World = worldOf([
    { apiVersion: small.apiVersion, kind: small.kind, name: 'small', where: 'app/small', object: () => small },
  ]);
  const sized = object('kubevirt.io/v1', 'VirtualMachine', 'db', {
    runStrategy: 'Always',
    instancetype: { kind: small.kind, name: 'small' },
    template: {
      spec: {
        domain: { memory: { guest: '8Gi' }, devices: { disks: [{ name: 'root', disk: { bus: 'virtoi' } }] } },
        volumes: [{ name: 'root', containerDisk: { image: 'registry.example/db:1' } }],
      },
    },
  });
  const reported = lintObject(sized, clusterConfig(), world).map(({ rule }) => rule);
  expect(reported).toEqual(['instancetype-conflict', 'disk-bus']);
});
