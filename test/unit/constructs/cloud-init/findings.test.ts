import { validateNetwork } from '../../../../src/api/cloud-init/network';
import { keysOf, validateDocument } from '../../../../src/api/cloud-init/schema';
import { validateCloudConfig } from '../../../../src/api/cloud-init/user-data';
import { type Finding, formatLine, root } from '../../../../src/api/findings';
import { elsewhere, validateUserData } from '../../../../src/api/cloud-init/raw-text';
import { bounded } from '../../../support/bounded';
import { brokenConfigs, brokenNetworks, soundConfigs, soundNetworks } from './configs';

const brief = (errors: readonly Finding[]): string[] => errors.map(({ rule, path }) => `${rule} ${path}`.trim());
const open = { secret: false };

test.each([...soundConfigs, ...brokenConfigs])('cloud-config: $name', ({ config, mistakes }) => {
  expect(brief(validateCloudConfig(config, root, open))).toEqual(mistakes);
});

test.each([...soundNetworks, ...brokenNetworks])('network: $name', ({ config, mistakes }) => {
  expect(brief(validateNetwork(config, root, 'NoCloud'))).toEqual(mistakes);
});

test.each([
  [
    'a near key',
    { pakages: [] },
    'pakages: is not a key of cloud-init; did you mean "packages"? [cloud-init-unknown-key]',
  ],
  [
    'a key with dashes',
    { 'package-update': true },
    'package-update: is not a key of cloud-init; did you mean "package_update"? [cloud-init-unknown-key]',
  ],
  ['a far key', { zzzzzzzz: 1 }, 'zzzzzzzz: is not a key of cloud-init; remove it [cloud-init-unknown-key]'],
  [
    'a wrong type',
    { runcmd: [1] },
    'runcmd[0]: must be a list or a text or null, is a number; put it into quotes [cloud-init-type]',
  ],
  [
    'a wrong word',
    { power_state: { mode: 'x' } },
    'power_state.mode: is not one of the allowed values (allowed: "poweroff", "reboot", "halt"); use an allowed value [cloud-init-enum]',
  ],
])('the text for %s says what to do', (_, config, text) => {
  expect(validateCloudConfig(config, root, open).map(formatLine)).toEqual([text]);
});

const pem = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----\n';
const hunter = 'hunter2hunter2';

describe('secrets are refused, and never repeated', () => {
  const rows: [string, Record<string, unknown>, string][] = [
    ['a password of a user', { users: [{ name: 'x', passwd: hunter }] }, 'users[0].passwd'],
    ['its hash', { users: [{ name: 'x', hashed_passwd: hunter }] }, 'users[0].hashed_passwd'],
    ['its hash by the old key', { users: [{ name: 'x', 'hashed-passwd': hunter }] }, 'users[0].hashed-passwd'],
    ['its plain text', { users: [{ name: 'x', plain_text_passwd: hunter }] }, 'users[0].plain_text_passwd'],
    ['that of the default user', { user: { name: 'x', passwd: hunter } }, 'user.passwd'],
    ['that of the default user alone', { password: hunter }, 'password'],
    ['chpasswd', { chpasswd: { users: [{ name: 'x', password: hunter }] } }, 'chpasswd.users[0].password'],
    ['chpasswd as list', { chpasswd: { list: [`root:${hunter}`] } }, 'chpasswd.list'],
    ['chpasswd as text', { chpasswd: { list: `root:${hunter}` } }, 'chpasswd.list'],
    ['a private host key', { ssh_keys: { rsa_private: hunter } }, 'ssh_keys.rsa_private'],
    ['a PEM block in a file', { write_files: [{ path: '/x', content: pem }] }, 'write_files[0].content'],
    [
      'a PEM block in base64',
      { write_files: [{ path: '/x', encoding: 'b64', content: Buffer.from(pem).toString('base64') }] },
      'write_files[0].content',
    ],
    ['a PEM block in a command', { runcmd: [['sh', '-c', `echo '${pem}'`]] }, 'runcmd[0][2]'],
    ['a key beside an authority', { ca_certs: { trusted: [pem] } }, 'ca_certs.trusted[0]'],
    ['a password piped into chpasswd', { runcmd: [`echo root:${hunter} | sudo chpasswd`] }, 'runcmd[0]'],
    [
      'a password of a repository',
      { yum_repos: { a: { baseurl: 'https://a', password: hunter } } },
      'yum_repos.a.password',
    ],
    ['a tunnel', { wireguard: { interfaces: [{ name: 'wg0', content: hunter }] } }, 'wireguard.interfaces[0].content'],
    ['a subscription', { rh_subscription: { username: 'x', password: hunter } }, 'rh_subscription.password'],
    ['a token', { ubuntu_pro: { token: hunter } }, 'ubuntu_pro.token'],
  ];

  test.each(rows)('%s', (_, config, path) => {
    const errors = validateCloudConfig(config, root, open);
    expect(brief(errors)).toEqual([expect.stringMatching(/^cloud-init-(password|private-key) /)]);
    expect(`${errors[0].path}`).toBe(path);
    expect(JSON.stringify(errors)).not.toMatch(/hunter2|b3Blbn/);
  });

  test.each(rows)('%s may go into a Secret', (_, config) => {
    expect(brief(validateCloudConfig(config, root, { secret: true }))).toEqual([]);
  });

  test.each([
    [
      'a locked password',
      {
        users: [
          { name: 'x', passwd: '!' },
          { name: 'y', hashed_passwd: '*' },
        ],
      },
    ],
    ['a certificate', { ca_certs: { trusted: ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'] } }],
    ['chpasswd from a file', { runcmd: ['chpasswd < /mnt/secret/passwords'] }],
    ['passwords by ssh allowed', { ssh_pwauth: true }],
  ])('%s is not a secret', (_, config) => expect(brief(validateCloudConfig(config, root, open))).toEqual([]));

  test.each<[string, Record<string, unknown>]>([
    ['a wrong type', { users: [{ name: 'x', uid: [hunter], shell: { [`a`]: hunter } }] }],
    ['a wrong word', { growpart: { mode: hunter }, write_files: [{ path: '/x', encoding: hunter }] }],
    ['a wrong form', { swap: { size: hunter }, phone_home: { url: `${hunter} x` } }],
    ['a wrong length', { mounts: [[hunter, hunter, hunter, hunter, hunter, hunter, hunter]], packages: [[hunter]] }],
    ['a wrong place', { write_files: [{ path: hunter, permissions: hunter }] }],
  ])('the message about %s does not repeat the value', (_, config) => {
    const errors = validateCloudConfig(config, root, { secret: true });
    expect(errors).not.toEqual([]);
    expect(JSON.stringify(errors)).not.toContain(hunter);
  });
});

test.each([
  ['a cloud-config', '#cloud-config\nruncmd:\n  - ls\n', []],
  ['a script', '#!/bin/sh\nls\n', []],
  ['a template', '## template: jinja\n#cloud-config\nanything: {{ x }}\n', []],
  ['a message of many parts', 'Content-Type: multipart/mixed; boundary="x"\n\n--x\n', []],
  ['no header', 'runcmd:\n  - ls\n', ['cloud-init-header']],
  ['a space before the header', ' #cloud-config\n', ['cloud-init-header']],
  ['a misspelt key', '#cloud-config\npakages: [a]\n', ['cloud-init-unknown-key']],
  ['text inside a string is not a key', '#cloud-config\nwrite_files:\n- path: /x\n  content: |\n    pakages: 1\n', []],
  ['a password', '#cloud-config\nusers:\n  - name: x\n    passwd: "$6$abc"\n', ['cloud-init-password']],
  ['a locked password', "#cloud-config\nusers:\n  - name: x\n    passwd: '!'\n", []],
  [
    'a list of passwords',
    '#cloud-config\nchpasswd:\n  expire: false\n  list: |\n    root:x\n',
    ['cloud-init-password'],
  ],
  ['a private key', `#!/bin/sh\ncat <<E\n${pem}E\n`, ['cloud-init-private-key']],
])('user data as text: %s', (_, text, rules) => {
  const errors = validateUserData(text, root, open);
  expect(errors.map(({ rule }) => rule)).toEqual(rules);
  expect(validateUserData(text, root, { secret: true }).every(({ rule }) => !/password|private/.test(rule))).toBe(true);
});

test.each([
  ['links and networks', { links: [], networks: [], services: [] }, []],
  ['version 2', { version: 2 }, ['cloud-network-format']],
])('ConfigDrive: %s', (_, config, rules) => {
  expect(validateNetwork(config, root, 'ConfigDrive').map(({ rule }) => rule)).toEqual(rules);
});

test.each([
  ["OpenStack's format", { links: [] }, 'cloud-network-format'],
  ['no version', { ethernets: {} }, 'cloud-network-version'],
  ['a version of tomorrow', { version: 3 }, 'cloud-network-version'],
])('NoCloud does not read %s', (_, config, rule) => {
  expect(validateNetwork(config, root, 'NoCloud').map((error) => error.rule)).toEqual([rule]);
});

test.each([
  ['spaces under chpasswd', `#cloud-config\nchpasswd:\n${`${' '.repeat(200)}\n`.repeat(2000)}`],
  ['one line of echoes', `#!/bin/sh\n${'echo '.repeat(100_000)}`],
  ['keys that nobody knows', `#cloud-config\n${'zzzzzzzzzzzzzzzz: 1\n'.repeat(30_000)}`],
  ['the beginnings of keys', `#!/bin/sh\n${'-----BEGIN A '.repeat(50_000)}`],
])('the cost of a long text is linear: %s', (_, text) => {
  expect(bounded(() => validateUserData(text, root, open)).length).toBeLessThan(100);
});

test('documents of other programs are recognized in linear time', () => {
  expect(bounded(() => elsewhere('machine:\n'.repeat(1_000_000)))).toBe(false);
  expect(bounded(() => elsewhere('\n'.repeat(1_000_000)))).toBe(false);
});

test('every key of cloud-config is known', () => expect(keysOf('cloudConfig').length).toBeGreaterThan(90));

test.each([null, [], 'text', 7])('rejects a document that is not a map: %j', (value) => {
  expect(brief(validateDocument('cloudConfig', value, root))).toEqual(['cloud-init-type']);
});
