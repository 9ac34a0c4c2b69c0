/** Configurations with the expected findings; the integration test compares them with cloud-init's own validator. */
export interface Case {
  /** A sentence. */
  readonly name: string;
  readonly config: Record<string, unknown>;
  /** `rule path` of each mistake that we tell; none when the configuration is sound. */
  readonly mistakes: readonly string[];
  /** cloud-init's validator accepts what we refuse: the guest would ignore it or fail later. */
  readonly stricter?: true;
}

type Row = readonly [name: string, config: Record<string, unknown>, ...mistakes: string[]];
const cases = (...rows: Row[]): Case[] => rows.map(([name, config, ...mistakes]) => ({ name, config, mistakes }));
const stricter = (...rows: Row[]): Case[] => cases(...rows).map((row) => ({ ...row, stricter: true }));

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILW7aSsw7cpDlOyQG5vhME4g60ABK3Hg1Jp1/QpvmPKT me@home';
const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

export const soundConfigs: readonly Case[] = cases(
  ['nothing at all', {}],
  ['packages by name', { packages: ['nginx', 'curl'] }],
  ['packages with a version', { packages: [['nginx', '1.26.3-1'], 'curl'] }],
  ['packages by manager', { packages: [{ apt: ['nginx', ['curl', '8.1']] }, { snap: ['lxd'] }] }],
  ['a user with keys', { users: ['default', { name: 'me', ssh_authorized_keys: [key], groups: 'docker, adm' }] }],
  [
    'users with everything',
    { users: [{ name: 'x', uid: 1100, system: true, lock_passwd: false, sudo: ['ALL=(ALL) ALL'] }] },
  ],
  ['no sudo as cloud-init once wrote it', { users: [{ name: 'x', sudo: false }] }],
  ['a user as text', { user: 'fedora' }],
  ['a date', { users: [{ name: 'x', expiredate: '2030-12-31' }] }],
  ['groups in each form', { groups: ['a', { b: ['me'] }, { c: 'me' }] }],
  ['commands in each form', { runcmd: ['ls', ['ls', '-l'], null], bootcmd: ['true', ['true']] }],
  ['files', { write_files: [{ path: '/x', content: 'y', permissions: '0644', encoding: 'b64', defer: true }] }],
  [
    'a file from afar',
    { write_files: [{ path: '/x', source: { uri: 'https://example.com/x', headers: { a: 'b' } } }] },
  ],
  [
    'mounts',
    {
      mounts: [
        ['/dev/vdb', '/data', 'ext4', 'defaults', '0', '2'],
        ['swap', 'none'],
      ],
    },
  ],
  ['swap by memory', { swap: { filename: '/swap.img', size: 'auto', maxsize: 1024 } }],
  ['swap by size', { swap: { size: '2G', maxsize: '1.5G' } }],
  ['partitions', { disk_setup: { '/dev/vdb': { table_type: 'gpt', layout: [50, [25, 82], 25], overwrite: true } } }],
  ['one partition', { disk_setup: { ephemeral0: { layout: true } }, device_aliases: { data: '/dev/vdb' } }],
  ['file systems', { fs_setup: [{ device: '/dev/vdb', filesystem: 'ext4', label: 'data', partition: 'auto' }] }],
  ['the partition cloud-init finds', { fs_setup: [{ device: '/dev/vdb', filesystem: 'xfs', cmd: ['mkfs'] }] }],
  ['growpart', { growpart: { mode: 'auto', devices: ['/'] }, resize_rootfs: 'noblock' }],
  ['growpart off', { growpart: { mode: 'off' }, resize_rootfs: false }],
  ['names', { hostname: 'web', fqdn: 'web.example.com', manage_etc_hosts: 'localhost', preserve_hostname: false }],
  ['locale, time zone and keyboard', { locale: 'C.UTF-8', timezone: 'Europe/Prague', keyboard: { layout: 'cz' } }],
  ['time', { ntp: { enabled: true, servers: ['ntp.example.com', '192.0.2.1'], pools: ['0.pool.ntp.org'] } }],
  ['the distribution’s time servers', { ntp: null }],
  ['authorities', { ca_certs: { remove_defaults: true, trusted: [certificate] } }],
  ['ssh', { ssh_pwauth: true, disable_root: true, ssh_deletekeys: true, ssh_genkeytypes: ['ed25519'] }],
  ['a public host key', { ssh_keys: { ed25519_public: key }, ssh_publish_hostkeys: { enabled: false } }],
  ['power off', { power_state: { mode: 'poweroff', delay: 5, timeout: 60, condition: 'test -f /x' } }],
  ['power off at once', { power_state: { mode: 'reboot', delay: 'now', condition: true } }],
  ['phone home', { phone_home: { url: 'http://192.0.2.1:8080/$INSTANCE_ID', post: ['hostname'], tries: 3 } }],
  ['last words', { final_message: 'done after $UPTIME seconds' }],
  ['apt', { apt: { sources: { a: { source: 'ppa:x/y', keyid: 'ABCD' } }, primary: [{ arches: ['default'] }] } }],
  ['yum', { yum_repos: { a: { baseurl: 'https://example.com/a', enabled: false, gpgcheck: true } } }],
  ['zypper', { zypper: { repos: [{ id: 'a', baseurl: 'https://example.com/a', anything: 1 }] } }],
  ['snaps', { snap: { commands: ['install x', ['install', 'y']] } }],
  ['modules and merging', { merge_how: 'list(append)', cloud_config_modules: ['runcmd', ['mounts', 'once']] }],
  ['output', { output: { all: '| tee -a /var/log/x', init: ['> a', '> b'] } }],
  ['reporting', { reporting: { a: { type: 'log', level: 'INFO' }, b: { type: 'print' } } }],
  ['an old key', { apt_update: true, 'ca-certs': { trusted: [certificate] } }],
  ['a random password that is only on the console', { chpasswd: { users: [{ name: 'x', type: 'RANDOM' }] } }],
);

export const brokenConfigs: readonly Case[] = [
  ...cases(
    ['a misspelt key', { pakages: ['nginx'] }, 'cloud-init-unknown-key pakages'],
    ['a key in camel case', { writeFiles: [] }, 'cloud-init-unknown-key writeFiles'],
    ['a number as command', { runcmd: ['ls', 1] }, 'cloud-init-type runcmd[1]'],
    ['a number as argument', { runcmd: [['sleep', 1]] }, 'cloud-init-type runcmd[0][1]'],
    ['a map as command, by a colon in YAML', { runcmd: [{ 'echo a': 'b' }] }, 'cloud-init-type runcmd[0]'],
    ['a text as commands', { runcmd: 'ls' }, 'cloud-init-type runcmd'],
    ['null as boot command', { bootcmd: [null] }, 'cloud-init-type bootcmd[0]'],
    ['no command', { runcmd: [] }, 'cloud-init-limit runcmd'],
    ['no package', { packages: [] }, 'cloud-init-limit packages'],
    ['a package in a list of one', { packages: [['nginx']] }, 'cloud-init-limit packages[0]'],
    ['a package manager nobody knows', { packages: [{ brew: [] }] }, 'cloud-init-unknown-key packages[0].brew'],
    ['yes as text', { package_update: 'yes' }, 'cloud-init-type package_update'],
    ['a user without a name', { users: [{ shell: '/bin/sh' }] }, 'cloud-init-required users[0].name'],
    ['a misspelt key of a user', { users: [{ name: 'x', shel: 'y' }] }, 'cloud-init-unknown-key users[0].shel'],
    [
      'keys as one text',
      { users: [{ name: 'x', ssh_authorized_keys: key }] },
      'cloud-init-type users[0].ssh_authorized_keys',
    ],
    ['no key', { users: [{ name: 'x', ssh_authorized_keys: [] }] }, 'cloud-init-limit users[0].ssh_authorized_keys'],
    ['a number as user', { users: [1] }, 'cloud-init-type users[0]'],
    ['an invalid day', { users: [{ name: 'x', expiredate: '2030-02-30' }] }, 'cloud-init-limit users[0].expiredate'],
    [
      'a mode as number',
      { write_files: [{ path: '/x', permissions: 644 }] },
      'cloud-init-type write_files[0].permissions',
    ],
    ['a file without a path', { write_files: [{ content: 'x' }] }, 'cloud-init-required write_files[0].path'],
    [
      'an encoding nobody knows',
      { write_files: [{ path: '/x', encoding: 'zip' }] },
      'cloud-init-enum write_files[0].encoding',
    ],
    ['a number in a mount', { mounts: [['/dev/vdb', '/data', 'ext4', 'defaults', 0]] }, 'cloud-init-type mounts[0][4]'],
    [
      'seven fields in a mount',
      { mounts: [['/dev/vdb', '/data', 'a', 'b', '0', '0', '0']] },
      'cloud-init-limit mounts[0]',
    ],
    ['a size without its number', { swap: { size: 'G' } }, 'cloud-init-limit swap.size'],
    ['a size in other units', { swap: { maxsize: '1GiB' } }, 'cloud-init-limit swap.maxsize'],
    [
      'a partition table nobody knows',
      { disk_setup: { a: { table_type: 'bsd' } } },
      'cloud-init-enum disk_setup.a.table_type',
    ],
    ['a partition of three', { disk_setup: { a: { layout: [[1, 2, 3]] } } }, 'cloud-init-limit disk_setup.a.layout[0]'],
    ['a misspelt key of a file system', { fs_setup: [{ devise: 'x' }] }, 'cloud-init-unknown-key fs_setup[0].devise'],
    [
      'a partition by number',
      { fs_setup: [{ device: '/dev/vdb', partition: 1 }] },
      'cloud-init-type fs_setup[0].partition',
    ],
    ['a mode that growpart has not', { growpart: { mode: 'on' } }, 'cloud-init-enum growpart.mode'],
    ['a size for the root', { resize_rootfs: 'yes' }, 'cloud-init-enum resize_rootfs'],
    ['a number as host name', { hostname: 1 }, 'cloud-init-type hostname'],
    ['hosts by a word', { manage_etc_hosts: 'yes' }, 'cloud-init-enum manage_etc_hosts'],
    ['a list as locale', { locale: ['C'] }, 'cloud-init-type locale'],
    ['a keyboard without a layout', { keyboard: { model: 'pc105' } }, 'cloud-init-required keyboard.layout'],
    ['a server twice', { ntp: { servers: ['a', 'a'] } }, 'cloud-init-limit ntp.servers[1]'],
    ['no authority', { ca_certs: { trusted: [] } }, 'cloud-init-limit ca_certs.trusted'],
    ['nothing about authorities', { ca_certs: {} }, 'cloud-init-limit ca_certs'],
    ['a host key of old', { ssh_genkeytypes: ['dsa'] }, 'cloud-init-enum ssh_genkeytypes[0]'],
    ['a host key of nobody', { ssh_keys: { dsa_public: key } }, 'cloud-init-unknown-key ssh_keys.dsa_public'],
    ['a power state without mode', { power_state: { delay: 1 } }, 'cloud-init-required power_state.mode'],
    ['a mode that power has not', { power_state: { mode: 'restart' } }, 'cloud-init-enum power_state.mode'],
    ['a delay of the past', { power_state: { mode: 'halt', delay: -1 } }, 'cloud-init-limit power_state.delay'],
    ['a home without URL', { phone_home: { tries: 1 } }, 'cloud-init-required phone_home.url'],
    ['an invalid URL of phone_home', { phone_home: { url: 'not a url' } }, 'cloud-init-limit phone_home.url'],
    [
      'a thing that is not sent',
      { phone_home: { url: 'http://a', post: ['x'] } },
      'cloud-init-enum phone_home.post[0]',
    ],
    ['an empty apt', { apt: {} }, 'cloud-init-limit apt'],
    ['an empty source', { apt: { sources: { a: {} } } }, 'cloud-init-limit apt.sources.a'],
    ['a repository without URL', { yum_repos: { a: { name: 'x' } } }, 'cloud-init-required yum_repos.a.baseurl'],
    ['a module nobody knows', { cloud_init_modules: ['runcmds'] }, 'cloud-init-enum cloud_init_modules[0]'],
    ['a password of no kind', { chpasswd: { users: [{ name: 'x' }] } }, 'cloud-init-required chpasswd.users[0].type'],
    [
      'two mistakes at once',
      { pakages: [], runcmd: [1] },
      'cloud-init-unknown-key pakages',
      'cloud-init-type runcmd[0]',
    ],
  ),
  ...stricter(
    ['a user twice', { users: [{ name: 'x' }, { name: 'x' }] }, 'cloud-user-unique users[1]'],
    ['a relative path', { write_files: [{ path: 'etc/x' }] }, 'cloud-file-path write_files[0].path'],
    [
      'an invalid mode',
      { write_files: [{ path: '/x', permissions: '0999' }] },
      'cloud-file-mode write_files[0].permissions',
    ],
    ['an invalid mount point', { mounts: [['/dev/vdb', 'data']] }, 'cloud-mount-point mounts[0][1]'],
    ['a server with a space', { ntp: { servers: ['a b'] } }, 'cloud-init-limit ntp.servers[0]'],
  ),
];

const eth0 = { dhcp4: true };

export const soundNetworks: readonly Case[] = cases(
  ['DHCP', { version: 2, ethernets: { eth0 } }],
  ['nothing but a version', { version: 2 }],
  ['wrapped', { network: { version: 2, ethernets: { eth0 } } }],
  [
    'by MAC address',
    { version: 2, ethernets: { a: { match: { macaddress: '02:00:00:00:00:01' }, 'set-name': 'lan0' } } },
  ],
  [
    'static',
    {
      version: 2,
      ethernets: {
        eth0: {
          addresses: ['192.0.2.10/24', '2001:db8::10/64'],
          routes: [{ to: '0.0.0.0/0', via: '192.0.2.1', metric: 10 }],
          nameservers: { addresses: ['192.0.2.53'], search: ['example.com'] },
        },
      },
    },
  ],
  [
    'a bond',
    {
      version: 2,
      ethernets: { a: {}, b: {} },
      bonds: { bond0: { interfaces: ['a', 'b'], parameters: { mode: '802.3ad' } } },
    },
  ],
  [
    'a VLAN on a bridge',
    { version: 2, ethernets: { a: {} }, bridges: { br0: { interfaces: ['a'] } }, vlans: { v: { id: 5, link: 'br0' } } },
  ],
  ['version 1', { version: 1, config: [{ type: 'physical', name: 'eth0', subnets: [{ type: 'dhcp' }] }] }],
  [
    'version 1 with everything',
    {
      version: 1,
      config: [
        { type: 'physical', name: 'eth0', mac_address: '02:00:00:00:00:01', mtu: 1400 },
        { type: 'bond', name: 'bond0', bond_interfaces: ['eth0'], params: { 'bond-mode': 'active-backup' } },
        { type: 'bridge', name: 'br0', bridge_interfaces: ['bond0'], params: { bridge_stp: 'off' } },
        {
          type: 'vlan',
          name: 'v5',
          vlan_link: 'br0',
          vlan_id: 5,
          subnets: [{ type: 'static', address: '192.0.2.1/24' }],
        },
        { type: 'nameserver', address: ['192.0.2.53'], search: ['example.com'] },
        { type: 'route', destination: '198.51.100.0/24', gateway: '192.0.2.1' },
      ],
    },
  ],
  [
    'an address with its mask',
    {
      version: 1,
      config: [
        { type: 'physical', name: 'a', subnets: [{ type: 'static', address: '192.0.2.1', netmask: '255.255.255.0' }] },
      ],
    },
  ],
);

export const brokenNetworks: readonly Case[] = [
  ...cases(
    ['a misspelt kind', { version: 2, ethernet: { eth0 } }, 'cloud-init-unknown-key ethernet'],
    ['DHCP by a word', { version: 2, ethernets: { a: { dhcp4: 'maybe' } } }, 'cloud-init-enum ethernets.a.dhcp4'],
    ['an MTU as text', { version: 2, ethernets: { a: { mtu: '1400' } } }, 'cloud-init-type ethernets.a.mtu'],
    [
      'a misspelt match',
      { version: 2, ethernets: { a: { match: { mac: 'x' } } } },
      'cloud-init-unknown-key ethernets.a.match.mac',
    ],
    [
      'a route to nowhere',
      { version: 2, ethernets: { a: { routes: [{ via: 'x' }] } } },
      'cloud-init-required ethernets.a.routes[0].to',
    ],
    [
      'a bond mode nobody knows',
      { version: 2, bonds: { b: { interfaces: [], parameters: { mode: 'lacp' } } } },
      'cloud-init-enum bonds.b.parameters.mode',
    ],
    [
      'a type nobody knows',
      { version: 1, config: [{ type: 'ethernet', name: 'a' }] },
      'cloud-init-enum config[0].type',
    ],
    ['a card without a name', { version: 1, config: [{ type: 'physical' }] }, 'cloud-init-required config[0].name'],
    [
      'a VLAN without its link',
      { version: 1, config: [{ type: 'vlan', name: 'v', vlan_id: 1 }] },
      'cloud-init-required config[0].vlan_link',
    ],
    [
      'a subnet type nobody knows',
      { version: 1, config: [{ type: 'physical', name: 'a', subnets: [{ type: 'dhcp5' }] }] },
      'cloud-init-enum config[0].subnets[0].type',
    ],
    ['version 1 without devices', { version: 1 }, 'cloud-init-required config'],
    ['wrapped, with a mistake', { network: { version: 2, wifis: {} } }, 'cloud-init-unknown-key network.wifis'],
  ),
  ...stricter(
    [
      'no prefix length',
      { version: 2, ethernets: { a: { addresses: ['192.0.2.1'] } } },
      'cloud-network-address ethernets.a.addresses[0]',
    ],
    [
      'a prefix that is too long',
      { version: 2, ethernets: { a: { addresses: ['192.0.2.1/33'] } } },
      'cloud-network-address ethernets.a.addresses[0]',
    ],
    [
      'a gateway of the other family',
      { version: 2, ethernets: { a: { gateway6: '192.0.2.1' } } },
      'cloud-network-address ethernets.a.gateway6',
    ],
    [
      'a member that is not there',
      { version: 2, bonds: { b: { interfaces: ['a'] } } },
      'cloud-network-member bonds.b.interfaces[0]',
    ],
    ['a VLAN on nothing', { version: 2, vlans: { v: { id: 1, link: 'a' } } }, 'cloud-network-member vlans.v.link'],
    [
      'an invalid VLAN',
      { version: 2, ethernets: { a: {} }, vlans: { v: { id: 5000, link: 'a' } } },
      'cloud-network-vlan vlans.v.id',
    ],
    [
      'a long name',
      { version: 2, bridges: { 'a-very-long-name': { interfaces: [] } } },
      'cloud-network-name bridges.a-very-long-name',
    ],
  ),
];
