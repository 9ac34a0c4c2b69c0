import { moduleMistakes } from '../../../../src/api/cloud-init/modules';
import { validateConfigKeys } from '../../../../src/api/cloud-init/user-data';
import { validateNetwork } from '../../../../src/api/cloud-init/network';
import { root } from '../../../../src/api/findings';

type Config = Readonly<Record<string, unknown>>;
const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const users = (...list: unknown[]): Config => ({ users: list });
const files = (...list: Config[]): Config => ({
  write_files: list.map((file) => ({ path: '/etc/a', content: 'x', ...file })),
});
const apt = (source: string, more: Config = {}): Config => ({ apt: { sources: { a: { source, ...more } } } });
const layout = (...percentages: unknown[]): Config => ({ disk_setup: { '/dev/vdb': { layout: percentages } } });
const topKeys = { ssh_authorized_keys: ['ssh-ed25519 AAAA'] };
const rootKeys = { name: 'root', ssh_authorized_keys: ['ssh-ed25519 AAAA'] };

test.each<[string, Config, string[]]>([
  [
    'accepts groups as text and as a list',
    users({ name: 'a', groups: 'adm, sudo' }, { name: 'b', groups: ['adm'] }),
    [],
  ],
  [
    'reports two groups in one item',
    users({ name: 'a', groups: ['adm, sudo'] }),
    ['cloud-user-group users[0].groups[0]'],
  ],
  [
    'reports a primary group with a space',
    users({ name: 'a', primary_group: 'a b' }),
    ['cloud-user-group users[0].primary_group'],
  ],
  ['accepts groups with members', { groups: ['docker', { web: ['a'] }] }, []],
  ['reports a group with a space', { groups: [{ 'web team': [] }] }, ['cloud-user-group groups[0]']],
  ['reports a relative home', users({ name: 'a', homedir: 'home/a' }), ['cloud-user-home users[0].homedir']],
  ['accepts different ids', users({ name: 'a', uid: 1000 }, { name: 'b', uid: 1001 }), []],
  ['reports equal ids', users({ name: 'a', uid: 1000 }, { name: 'b', uid: '1000' }), ['cloud-user-uid users[1].uid']],
  ['accepts accounts', users({ name: 'a', ssh_import_id: ['gh:a-b', 'lp:c', 'd'] }), []],
  [
    'reports another service',
    users({ name: 'a', ssh_import_id: ['github:a'] }),
    ['cloud-ssh-import users[0].ssh_import_id[0]'],
  ],
  ['reports a URL of keys', { ssh_import_id: ['https://github.com/a.keys'] }, ['cloud-ssh-import ssh_import_id[0]']],
  ["accepts keys of the image's user", { ...topKeys, ...users('default', { name: 'a' }) }, []],
  ['accepts keys without users', topKeys, []],
  ['accepts keys for root', { ...topKeys, disable_root: false, ...users({ name: 'a' }) }, []],
  [
    'reports keys of a user that is not created',
    { ...topKeys, ...users({ name: 'a' }) },
    ['cloud-user-default ssh_authorized_keys'],
  ],
  ['reports a root that is disabled', { disable_root: true, ...users(rootKeys) }, ['cloud-root-keys disable_root']],
  ['accepts a root that is not', { disable_root: false, ...users(rootKeys) }, []],
  ['reports a file that a later one replaces', files({}, { content: 'y' }), ['cloud-file-unique write_files[1].path']],
  ['accepts a file that a later one extends', files({}, { append: true }), []],
  [
    'reports a file that a deferred one replaces',
    files({ defer: true }, { append: true }),
    ['cloud-file-unique write_files[0].path'],
  ],
  ['accepts 100 percent', layout(50, [50, 82]), []],
  ['reports 101 percent', layout(50, [51, 82]), ['cloud-disk-percent disk_setup./dev/vdb.layout']],
  ['reports a relative swap file', { swap: { filename: 'swap.img' } }, ['cloud-swap-file swap.filename']],
  [
    'reports servers of a disabled client',
    { ntp: { enabled: false, servers: ['a.example'] } },
    ['cloud-ntp-disabled ntp.enabled'],
  ],
  ['accepts a disabled client', { ntp: { enabled: false } }, []],
  ['accepts repositories', apt('deb [signed-by=$KEY_FILE arch=amd64] https://a.example $RELEASE main'), []],
  ['accepts a flat repository', apt('deb https://a.example ./'), []],
  ['accepts a PPA', apt('ppa:a/b'), []],
  ['reports a URL', apt('https://a.example/debian'), ['cloud-apt-source apt.sources.a.source']],
  ['reports a line without suite', apt('deb https://a.example'), ['cloud-apt-source apt.sources.a.source']],
  ['reports a line without component', apt('deb https://a.example trixie'), ['cloud-apt-source apt.sources.a.source']],
  ['reports a name as a fingerprint', apt('ppa:a/b', { keyid: 'docker' }), ['cloud-apt-key apt.sources.a.keyid']],
  ['accepts a fingerprint with spaces', apt('ppa:a/b', { keyid: '9DC8 5822 9FC7 DD38' }), []],
  ['accepts a certificate', { ca_certs: { trusted: [pem] } }, []],
  ['reports a path', { ca_certs: { trusted: ['/etc/ssl/ca.pem'] } }, ['cloud-ca-certificate ca_certs.trusted[0]']],
])('%s', (_, config, want) =>
  expect(moduleMistakes(config, root).map(({ rule, path }) => `${rule} ${path}`)).toEqual(want),
);

test.each<[string, string, string[]]>([
  ['accepts a rule', 'ALL=(ALL) NOPASSWD:ALL', []],
  ['accepts a list of hosts', 'WEB, DB = (root) /bin/true', []],
  ['reports the name of the user', 'ops ALL=(ALL) NOPASSWD:ALL', ['cloud-user-sudo users[0].sudo']],
])('%s of sudo', (_, sudo, want) =>
  expect(validateConfigKeys(users({ name: 'ops', sudo }), root).map(({ rule, path }) => `${rule} ${path}`)).toEqual(
    want,
  ),
);

const v2 = (...ethernets: Config[]): Config => ({
  version: 2,
  ethernets: Object.fromEntries(ethernets.map((device, i) => [`e${i}`, device])),
});
test.each<[string, Config, string[]]>([
  ['accepts the first and the last host', v2({ addresses: ['192.0.2.1/24', '192.0.2.254/24'] }), []],
  ['reports the network', v2({ addresses: ['192.0.2.0/24'] }), ['cloud-network-address ethernets.e0.addresses[0]']],
  ['reports all its hosts', v2({ addresses: ['192.0.2.255/24'] }), ['cloud-network-address ethernets.e0.addresses[0]']],
  ['accepts both addresses of a link', v2({ addresses: ['192.0.2.0/31'] }, { addresses: ['192.0.2.1/31'] }), []],
  ['accepts a single address', v2({ addresses: ['192.0.2.0/32'] }), []],
  [
    'reports one address of two devices',
    v2({ addresses: ['192.0.2.1/24'] }, { addresses: ['192.0.2.1/25'] }),
    ['cloud-network-unique ethernets.e1.addresses[0]'],
  ],
  ['accepts a new name of a matched card', v2({ match: { driver: 'virtio_net' }, 'set-name': 'lan' }), []],
  ['reports a new name of any card', v2({ 'set-name': 'lan' }), ['cloud-network-set-name ethernets.e0.set-name']],
])('%s of a network', (_, config, want) =>
  expect(validateNetwork(config, root, 'NoCloud').map(({ rule, path }) => `${rule} ${path}`)).toEqual(want),
);
