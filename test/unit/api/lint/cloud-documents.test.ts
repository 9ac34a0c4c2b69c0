import type { Loose } from '../fixtures';
import { object, together } from './worlds';

const disk = (name: string, bus?: string, more: Loose = {}): Loose => ({ name, disk: bus ? { bus } : {}, ...more });
const vm = (userData: string, disks: Loose[], spec: Loose = {}): Loose =>
  object('kubevirt.io/v1', 'VirtualMachine', 'web', {
    ...spec,
    template: {
      spec: {
        domain: { devices: { disks } },
        volumes: [{ name: 'init', cloudInitNoCloud: { userData: `#cloud-config\n${userData}` } }],
      },
    },
  });
const three = [disk('root', 'virtio'), disk('data', 'virtio', { serial: 'data' }), disk('init', 'virtio')];
const format = (device: string): string => `fs_setup:\n  - { device: ${device}, filesystem: ext4 }\n`;
const mount = (device: string): string => `mounts:\n  - [${device}, /data]\n`;
const at = 'spec.template.spec.volumes[0].cloudInitNoCloud.userData';
const file = (more = ''): string =>
  `users: [{ name: app }]\nwrite_files:\n  - path: /srv/a\n    content: x\n    owner: app:app\n${more}`;

test.each<[string, Loose, string[]]>([
  ['accepts the second disk', vm(format('/dev/vdb'), three), []],
  ['accepts a partition of it', vm(format('/dev/vdb1'), three), []],
  ['reports the disk of cloud-init', vm(format('/dev/vdc'), three), [`cloud-device ${at}`]],
  ['accepts mounting it', vm(mount('/dev/vdc'), three), []],
  ['reports the disk behind the last', vm(mount('/dev/vdd'), three), [`cloud-device ${at}`]],
  ['reports a disk of another bus', vm(mount('/dev/sda'), three), [`cloud-device ${at}`]],
  ['accepts a disk of that bus', vm(mount('/dev/sda1'), [...three, disk('more', 'sata')]), []],
  ['accepts the serial of a disk', vm(mount('/dev/disk/by-id/virtio-data'), three), []],
  ['accepts a partition by serial', vm(mount('/dev/disk/by-id/virtio-data-part1'), three), []],
  ['reports a serial that no disk has', vm(mount('/dev/disk/by-id/virtio-dat'), three), [`cloud-device ${at}`]],
  [
    'accepts the first 20 letters of a serial',
    vm(mount('/dev/disk/by-id/virtio-abcdefghijklmnopqrst'), [
      disk('a', 'virtio', { serial: 'abcdefghijklmnopqrstuvw' }),
    ]),
    [],
  ],
  ['accepts anything while the platform chooses a bus', vm(mount('/dev/vdz'), [disk('root')]), []],
  ['accepts anything with a preference', vm(mount('/dev/vdz'), three, { preference: { name: 'fedora' } }), []],
  ['accepts labels and servers', vm(mount('LABEL=data') + 'growpart: { devices: [/] }\n', three), []],
  ['reports the disks that are partitioned', vm('disk_setup:\n  /dev/vdx: {}\n', three), [`cloud-device ${at}`]],
  ['reports a file whose owner is created later', vm(file(), three), [`cloud-file-owner ${at}`]],
  ['accepts a deferred file', vm(file('    defer: true\n'), three), []],
  ["accepts a file of the image's user", vm(file().replace('name: app', 'name: other'), three), []],
])('%s', (_, made, want) => expect(together(made)).toEqual(want));

const nat = (
  networkData: string,
  more: Loose = {},
  interfaces: Loose[] = [{ name: 'default', masquerade: {} }],
): Loose =>
  object('kubevirt.io/v1', 'VirtualMachine', 'web', {
    template: {
      spec: {
        domain: { devices: { interfaces, ...(interfaces.length === 0 ? { autoattachPodInterface: false } : {}) } },
        networks: [{ name: 'default', pod: more }],
        volumes: [{ name: 'init', cloudInitNoCloud: { networkData: `version: 2\n${networkData}` } }],
      },
    },
  });
const ethernet = (fields: string): string => `ethernets:\n  e0: { ${fields} }\n`;
const networkAt = at.replace('userData', 'networkData');

test.each<[string, Loose, string[]]>([
  ['accepts the address behind masquerade', nat(ethernet('addresses: [10.0.2.2/24]')), []],
  ['reports another address', nat(ethernet('addresses: [10.0.2.3/24]')), [`cloud-network-masquerade ${networkAt}`]],
  ['accepts another address beside DHCP', nat(ethernet('dhcp4: true, addresses: [192.0.2.3/24]')), []],
  ['accepts addresses of IPv6', nat(ethernet("addresses: ['fd10:0:2::2/120']")), []],
  [
    'accepts the address of another network',
    nat(ethernet('addresses: [10.9.1.2/24]'), { vmNetworkCIDR: '10.9.1.0/24' }),
    [],
  ],
  [
    'accepts addresses of one of several cards',
    nat(ethernet('addresses: [192.0.2.3/24]'), {}, [
      { name: 'default', masquerade: {} },
      { name: 'lan', bridge: {} },
    ]),
    [],
  ],
  [
    'reports the address of a card that is matched',
    nat(ethernet("match: { macaddress: '02:00:00:00:00:01' }, addresses: [192.0.2.3/24]"), {}, [
      { name: 'default', masquerade: {}, macAddress: '02:00:00:00:00:01' },
      { name: 'lan', bridge: {} },
    ]),
    [`cloud-network-masquerade ${networkAt}`],
  ],
  ['reports configuration without a card', nat(ethernet('dhcp4: true'), {}, []), [`cloud-network-card ${networkAt}`]],
])('%s', (_, made, want) => expect(together(made)).toEqual(want));
