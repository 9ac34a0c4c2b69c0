import { Duration, Size } from 'cdk8s';
import {
  CloudBondMode,
  CloudConfigProps,
  CloudFileEncoding,
  CloudHostKey,
  CloudNetwork,
  CloudNetworkItem,
  CloudNetworkRenderer,
  CloudPackage,
  CloudPartition,
  CloudPartitionTable,
  CloudPowerMode,
  CloudSubnet,
  CloudUser,
} from '../../../../src';

export const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILW7aSsw7cpDlOyQG5vhME4g60ABK3Hg1Jp1/QpvmPKT me@home';
export const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

/** Every typed property, with what it makes. */
export const everyProperty: readonly (readonly [CloudConfigProps, Record<string, unknown>])[] = [
  [{ users: [CloudUser.named('me')] }, { users: [{ name: 'me', sudo: 'ALL=(ALL) NOPASSWD:ALL' }] }],
  [
    {
      users: [
        CloudUser.named('ops', {
          sshKeys: [`${key}\n`],
          sshImportIds: ['gh:someone'],
          sudoRules: ['ALL=(ALL) /usr/bin/systemctl'],
          groups: ['adm', 'docker'],
          primaryGroup: 'ops',
          shell: '/bin/bash',
          gecos: 'Operations: "the" team',
          homeDirectory: '/srv/ops',
          createHome: true,
          uid: 1100,
          system: false,
          lockPassword: false,
          expires: '2030-12-31',
          passwordFrom: { name: 'passwords' },
        }),
      ],
    },
    {
      users: [
        {
          name: 'ops',
          sudo: ['ALL=(ALL) /usr/bin/systemctl'],
          gecos: 'Operations: "the" team',
          primary_group: 'ops',
          groups: ['adm', 'docker'],
          shell: '/bin/bash',
          homedir: '/srv/ops',
          no_create_home: false,
          uid: 1100,
          system: false,
          lock_passwd: false,
          expiredate: '2030-12-31',
          ssh_import_id: ['gh:someone'],
          ssh_authorized_keys: [key],
        },
      ],
    },
  ],
  [{ users: [CloudUser.named('svc', { system: true })] }, { users: [{ name: 'svc', system: true }] }],
  [{ users: [CloudUser.named('me', { sudo: false })], defaultUser: true }, { users: ['default', { name: 'me' }] }],
  [{ defaultUser: false }, { users: [] }],
  [{ groups: { docker: ['me', 'you'], empty: [] } }, { groups: [{ docker: ['me', 'you'] }, 'empty'] }],
  [{ packages: ['nginx', CloudPackage.of('curl', '8.14.1-2')] }, { packages: ['nginx', ['curl', '8.14.1-2']] }],
  [
    { packageUpdate: true, packageUpgrade: false, packageRebootIfRequired: true },
    { package_update: true, package_upgrade: false, package_reboot_if_required: true },
  ],
  [
    {
      aptSources: {
        tools: { source: 'deb https://a.example $RELEASE main', keyId: 'ABCD', keyServer: 'k.example', key: 'K' },
      },
    },
    {
      apt: {
        sources: {
          tools: { source: 'deb https://a.example $RELEASE main', keyid: 'ABCD', keyserver: 'k.example', key: 'K' },
        },
      },
    },
  ],
  [
    {
      yumRepositories: { tools: { baseUrl: 'https://a.example/el9', name: 'Tools', gpgKey: 'https://a.example/key' } },
    },
    {
      yum_repos: {
        tools: {
          baseurl: 'https://a.example/el9',
          name: 'Tools',
          enabled: true,
          gpgcheck: true,
          gpgkey: 'https://a.example/key',
        },
      },
    },
  ],
  [
    { bootcmd: ['modprobe x', ['modprobe', 'y']], runcmd: ["echo 'it: works' > /x", ['touch', '/y', 'yes', '012']] },
    { bootcmd: ['modprobe x', ['modprobe', 'y']], runcmd: ["echo 'it: works' > /x", ['touch', '/y', 'yes', '012']] },
  ],
  [
    {
      writeFiles: [
        {
          path: '/etc/motd',
          content: 'line: "1"\n\ttab, ü, 日本\n',
          owner: 'me:adm',
          permissions: '0600',
          append: true,
          defer: true,
        },
        { path: '/bin/x', content: 'AAEC', encoding: CloudFileEncoding.BASE64 },
        { path: '/etc/yes', content: 'yes' },
      ],
    },
    {
      write_files: [
        {
          path: '/etc/motd',
          content: 'line: "1"\n\ttab, ü, 日本\n',
          owner: 'me:adm',
          permissions: '0600',
          append: true,
          defer: true,
        },
        { path: '/bin/x', content: 'AAEC', encoding: 'b64', permissions: '0644' },
        { path: '/etc/yes', content: 'yes', permissions: '0644' },
      ],
    },
  ],
  [
    {
      diskSetup: {
        '/dev/vdb': { percentages: [50, 50], table: CloudPartitionTable.MBR, overwrite: true },
        '/dev/vdc': {},
      },
      fsSetup: [
        { device: '/dev/vdb1', filesystem: 'ext4', label: 'data', partition: CloudPartition.NONE, overwrite: false },
      ],
      mounts: [
        { device: 'LABEL=data', path: '/data' },
        { device: '/dev/vdc1', path: '/more', filesystem: 'xfs' },
        { device: 'server:/export', path: '/net', options: ['ro', 'noatime'] },
      ],
    },
    {
      disk_setup: {
        '/dev/vdb': { table_type: 'mbr', layout: [50, 50], overwrite: true },
        '/dev/vdc': { table_type: 'gpt', layout: true },
      },
      fs_setup: [{ label: 'data', device: '/dev/vdb1', filesystem: 'ext4', partition: 'none', overwrite: false }],
      mounts: [
        ['LABEL=data', '/data'],
        ['/dev/vdc1', '/more', 'xfs'],
        ['server:/export', '/net', 'auto', 'ro,noatime'],
      ],
    },
  ],
  [{ swap: {} }, { swap: { filename: '/swap.img', size: 'auto' } }],
  [
    { swap: { size: Size.gibibytes(2), maxSize: Size.gibibytes(4), file: '/swap' } },
    { swap: { filename: '/swap', size: 2147483648, maxsize: 4294967296 } },
  ],
  [
    { growpart: {}, resizeRootfs: true },
    { growpart: { mode: 'auto' }, resize_rootfs: true },
  ],
  [{ growpart: { enabled: false, devices: ['/data'] } }, { growpart: { mode: 'off', devices: ['/data'] } }],
  [
    { hostname: 'web', fqdn: 'web.example.com', manageEtcHosts: true, locale: 'C.UTF-8', timezone: 'Europe/Prague' },
    { hostname: 'web', fqdn: 'web.example.com', manage_etc_hosts: true, locale: 'C.UTF-8', timezone: 'Europe/Prague' },
  ],
  [
    { ntp: { pools: ['0.pool.ntp.org'], servers: ['192.0.2.1'], enabled: true, client: 'chrony' } },
    { ntp: { enabled: true, ntp_client: 'chrony', pools: ['0.pool.ntp.org'], servers: ['192.0.2.1'] } },
  ],
  [
    { caCerts: { trusted: [certificate], removeDefaults: true } },
    { ca_certs: { remove_defaults: true, trusted: [certificate] } },
  ],
  [
    {
      ssh: {
        passwordAuthentication: true,
        disableRoot: true,
        hostKeys: [CloudHostKey.ED25519, CloudHostKey.RSA],
        deleteImageHostKeys: false,
        authorizedKeys: [key],
      },
    },
    {
      ssh_pwauth: true,
      disable_root: true,
      ssh_deletekeys: false,
      ssh_genkeytypes: ['ed25519', 'rsa'],
      ssh_authorized_keys: [key],
    },
  ],
  [
    {
      powerState: {
        mode: CloudPowerMode.REBOOT,
        delay: Duration.minutes(5),
        timeout: Duration.minutes(1),
        message: 'kernel',
        condition: 'test -f /run/x',
      },
    },
    { power_state: { mode: 'reboot', delay: 5, message: 'kernel', timeout: 60, condition: 'test -f /run/x' } },
  ],
  [
    {
      finalMessage: 'up after $UPTIME s',
      phoneHome: { url: 'http://192.0.2.1/$INSTANCE_ID', post: ['fqdn'], tries: 3 },
    },
    {
      final_message: 'up after $UPTIME s',
      phone_home: { url: 'http://192.0.2.1/$INSTANCE_ID', post: ['fqdn'], tries: 3 },
    },
  ],
  [{ phoneHome: { url: 'https://a.example/' } }, { phone_home: { url: 'https://a.example/', post: 'all' } }],
  [
    { hostname: 'a', raw: { hostname: 'b', keyboard: { layout: 'cz' } } },
    { hostname: 'b', keyboard: { layout: 'cz' } },
  ],
];

/** Network configuration by the typed factories, with what it makes. */
export const everyNetwork = (): readonly (readonly [CloudNetwork, Record<string, unknown>])[] => [
  [CloudNetwork.v2({ ethernets: { eth0: { dhcp4: true } } }), { version: 2, ethernets: { eth0: { dhcp4: true } } }],
  [
    CloudNetwork.v2({
      renderer: CloudNetworkRenderer.NETWORKD,
      ethernets: {
        lan: {
          match: { macAddress: '02:00:00:00:00:0A', name: 'en*', driver: 'virtio_net' },
          setName: 'lan0',
          wakeOnLan: true,
          dhcp4: false,
          dhcp6: true,
          dhcp4Overrides: {
            useDns: false,
            useRoutes: true,
            useMtu: true,
            useHostname: false,
            useNtp: true,
            routeMetric: 5,
          },
          dhcp6Overrides: { useDns: false },
          addresses: ['192.0.2.10/24', '2001:db8::10/64'],
          routes: [{ to: '0.0.0.0/0', via: '192.0.2.1', metric: 10 }],
          nameservers: { addresses: ['192.0.2.53'], search: ['example.com'] },
          mtu: 1400,
          optional: true,
        },
        eth1: {},
      },
      bonds: { bond0: { interfaces: ['eth1'], mode: CloudBondMode.LACP, parameters: { 'lacp-rate': 'fast' } } },
      bridges: { br0: { interfaces: ['bond0'], stp: false, parameters: { 'forward-delay': 4 } }, br1: {} },
      vlans: { vlan5: { id: 5, link: 'br0', addresses: ['198.51.100.1/24'] } },
    }),
    {
      version: 2,
      renderer: 'networkd',
      ethernets: {
        lan: {
          match: { name: 'en*', macaddress: '02:00:00:00:00:0a', driver: 'virtio_net' },
          'set-name': 'lan0',
          wakeonlan: true,
          dhcp4: false,
          dhcp6: true,
          'dhcp4-overrides': {
            'use-dns': false,
            'use-routes': true,
            'use-mtu': true,
            'use-hostname': false,
            'use-ntp': true,
            'route-metric': 5,
          },
          'dhcp6-overrides': { 'use-dns': false },
          addresses: ['192.0.2.10/24', '2001:db8::10/64'],
          routes: [{ to: '0.0.0.0/0', via: '192.0.2.1', metric: 10 }],
          nameservers: { addresses: ['192.0.2.53'], search: ['example.com'] },
          mtu: 1400,
          optional: true,
        },
        eth1: {},
      },
      bonds: { bond0: { interfaces: ['eth1'], parameters: { mode: '802.3ad', 'lacp-rate': 'fast' } } },
      bridges: {
        br0: { interfaces: ['bond0'], parameters: { stp: false, 'forward-delay': 4 } },
        br1: { interfaces: [] },
      },
      vlans: { vlan5: { id: 5, link: 'br0', addresses: ['198.51.100.1/24'] } },
    },
  ],
  [
    CloudNetwork.v1(
      CloudNetworkItem.physical('eth0', {
        macAddress: '02:00:00:00:00:0A',
        mtu: 1400,
        subnets: [CloudSubnet.dhcp4(), CloudSubnet.dhcp6()],
      }),
      CloudNetworkItem.physical('eth1'),
      CloudNetworkItem.bond('bond0', {
        interfaces: ['eth1'],
        mode: CloudBondMode.ACTIVE_BACKUP,
        parameters: { 'bond-miimon': 100 },
        subnets: [CloudSubnet.manual()],
      }),
      CloudNetworkItem.bridge('br0', {
        interfaces: ['bond0'],
        parameters: { bridge_stp: 'off' },
        subnets: [CloudSubnet.slaac()],
      }),
      CloudNetworkItem.vlan('vlan5', 'br0', 5, {
        subnets: [
          CloudSubnet.address('192.0.2.10/24', {
            gateway: '192.0.2.1',
            nameservers: ['192.0.2.53'],
            search: ['example.com'],
            routes: [{ to: '198.51.100.0/24', via: '192.0.2.2', metric: 5 }],
          }),
          CloudSubnet.address('2001:db8::10/64'),
        ],
      }),
      CloudNetworkItem.nameservers(['192.0.2.53'], ['example.com']),
      CloudNetworkItem.route({ to: '203.0.113.0/24', via: '192.0.2.3' }),
    ),
    {
      version: 1,
      config: [
        {
          type: 'physical',
          name: 'eth0',
          mac_address: '02:00:00:00:00:0a',
          mtu: 1400,
          subnets: [{ type: 'dhcp4' }, { type: 'dhcp6' }],
        },
        { type: 'physical', name: 'eth1' },
        {
          type: 'bond',
          name: 'bond0',
          bond_interfaces: ['eth1'],
          params: { 'bond-mode': 'active-backup', 'bond-miimon': 100 },
          subnets: [{ type: 'manual' }],
        },
        {
          type: 'bridge',
          name: 'br0',
          bridge_interfaces: ['bond0'],
          params: { bridge_stp: 'off' },
          subnets: [{ type: 'ipv6_slaac' }],
        },
        {
          type: 'vlan',
          name: 'vlan5',
          vlan_link: 'br0',
          vlan_id: 5,
          subnets: [
            {
              type: 'static',
              address: '192.0.2.10/24',
              gateway: '192.0.2.1',
              dns_nameservers: ['192.0.2.53'],
              dns_search: ['example.com'],
              routes: [{ destination: '198.51.100.0/24', gateway: '192.0.2.2', metric: 5 }],
            },
            { type: 'static6', address: '2001:db8::10/64' },
          ],
        },
        { type: 'nameserver', address: ['192.0.2.53'], search: ['example.com'] },
        { type: 'route', destination: '203.0.113.0/24', gateway: '192.0.2.3' },
      ],
    },
  ],
];
