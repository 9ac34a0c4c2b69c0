import { Chart, Testing } from 'cdk8s';
import { parse } from 'yaml';
import {
  CloudInit,
  CloudInitSource,
  CloudNetwork,
  CloudNetworkItem,
  CloudPackage,
  CloudPart,
  CloudSubnet,
  CloudUser,
} from '../../../../src';
import { instanceSpec, mistakeOf, testChart, testVm } from '../fixtures';
import { everyNetwork, everyProperty, key } from './everything';

const source = (cloudInit: CloudInit) => cloudInit._renderVolume('x').cloudInitNoCloud;
const secretName = { name: 'generated' };

test.each(everyProperty)('%j is rendered', (props, config) => {
  const text = source(CloudInit.noCloud(props))?.userData ?? '';
  expect(text).toMatch(/^#cloud-config\n/);
  expect(parse(text, { version: '1.1' })).toEqual(config);
  expect(CloudInit.noCloud(props)._renderVolume('x')).toEqual(CloudInit.noCloud(props)._renderVolume('x'));
});

test('each kind of network configuration is rendered', () => {
  for (const [networkConfig, config] of everyNetwork()) {
    expect(parse(source(CloudInit.noCloud({ networkConfig }))?.networkData ?? '')).toEqual(config);
  }
});

describe('a mistake names the property in the code', () => {
  test.each<[string, () => unknown, string]>([
    [
      'a misspelt key in raw',
      () => CloudInit.noCloud({ raw: { pakages: ['nginx'] } }),
      'CloudInit.noCloud: raw.pakages: is not a key of cloud-init\n  did you mean "packages"? [cloud-init-unknown-key]',
    ],
    [
      'a wrong type through any',
      () => CloudInit.noCloud({ runcmd: ['ls', ['ls'], 3 as unknown as string] }),
      'CloudInit.noCloud: runcmd[2]: must be a string or a list, not a number\n  write it in quotes [type]',
    ],
    [
      'a key of ours whose name differs',
      () => CloudInit.configDrive({ writeFiles: [{ path: '/x', content: '', permissions: 'rwx' }] }),
      "CloudInit.configDrive: writeFiles[0].permissions: is not a mode in octal digits\n  write it like '0644' [cloud-file-mode]",
    ],
    [
      'a user twice, behind the default user',
      () => CloudInit.noCloud({ defaultUser: true, users: [CloudUser.named('me'), CloudUser.named('me')] }),
      'CloudInit.noCloud: users[1]: "me" is listed twice\n  merge the two users [cloud-user-unique]',
    ],
    [
      'an inner property of a user',
      () => CloudInit.noCloud({ users: [CloudUser.named('me', { expires: 'soon' })] }),
      'CloudInit.noCloud: users[0].expires: is not a valid date\n  write year-month-day, such as 2030-12-31 [cloud-init-limit]',
    ],
    [
      'a property that is a key of the first level',
      () => CloudInit.noCloud({ ssh: { passwordAuthentication: 1 as unknown as boolean } }),
      'CloudInit.noCloud: ssh.passwordAuthentication: must be a boolean, not a number\n  write true or false, without quotes [type]',
    ],
    [
      'a repository',
      () => CloudInit.noCloud({ yumRepositories: { a: { baseUrl: 'here' } } }),
      'CloudInit.noCloud: yumRepositories.a.baseUrl: is not a valid URI\n  write scheme and host, such as https://example.com/path [cloud-init-limit]',
    ],
    [
      'a source of apt',
      () => CloudInit.noCloud({ aptSources: { a: { source: 'ppa:x', keyId: 5 as unknown as string } } }),
      'CloudInit.noCloud: aptSources.a.keyId: must be a string, not a number\n  write it in quotes [type]',
    ],
    [
      'all mistakes at once, also those of the network',
      () => CloudInit.noCloud({ raw: { pakages: [], runcmd: 'ls' }, networkConfig: { version: 4 } }),
      [
        'CloudInit.noCloud: 3 mistakes',
        'CloudInit.noCloud: raw.pakages: is not a key of cloud-init',
        '  did you mean "packages"? [cloud-init-unknown-key]',
        'CloudInit.noCloud: raw.runcmd: must be a list, is a text',
        '  write a list [cloud-init-type]',
        'CloudInit.noCloud: networkConfig.version: is not a version of network configuration (allowed: "1", "2")',
        '  add version: 2 [cloud-network-version]',
      ].join('\n'),
    ],
    [
      'a part',
      () => CloudPart.cloudConfig({ raw: { runcmd: 'ls' } }),
      'CloudPart.cloudConfig: raw.runcmd: must be a list, is a text\n  write a list [cloud-init-type]',
    ],
    [
      'version 2',
      () => CloudNetwork.v2({ ethernets: { eth0: { dhcp4Overrides: { routeMetric: 1.5 } } } }),
      'CloudNetwork.v2: ethernets.eth0.dhcp4Overrides.routeMetric: must be a whole number, is a number\n  write a whole number [cloud-init-type]',
    ],
    [
      'version 1',
      () => CloudNetwork.v1(CloudNetworkItem.physical('a', { subnets: [CloudSubnet.address('192.0.2.1')] })),
      'CloudNetwork.v1: items[0].subnets[0].address: is not an address with a prefix length\n  write it like 192.0.2.10/24 or 2001:db8::10/64 [cloud-network-address]',
    ],
    [
      'version 2 for ConfigDrive',
      () => CloudInit.configDrive({ networkConfig: CloudNetwork.v2({}) }),
      'CloudInit.configDrive: networkConfig: must be OpenStack\'s network_data.json: lists links, networks and services (allowed: "links", "networks", "services")\n  use CloudNetwork.openStack, or CloudInit.noCloud for version 1 or 2 [cloud-network-format]',
    ],
    [
      "OpenStack's format for NoCloud",
      () => CloudInit.noCloud({ networkConfig: CloudNetwork.openStack({ links: [] }) }),
      "CloudInit.noCloud: networkConfig: is OpenStack's network_data.json, which the NoCloud data source does not read\n  write version 1 or 2, or use CloudInit.configDrive [cloud-network-format]",
    ],
    [
      'text without a header',
      () => CloudInit.raw('runcmd: [ls]'),
      expect.stringContaining(
        'CloudInit.raw: userData: the first line is not one by which cloud-init recognizes the format',
      ) as string,
    ],
    [
      'no text at all',
      () => CloudInit.raw(undefined as unknown as string),
      'CloudInit.raw: userData: must be a string, not undefined\n  add it; if a variable sets it, check its value [type]',
    ],
    [
      'no part',
      () => CloudInit.multipart([]),
      'CloudInit.multipart: parts: is empty\n  add a CloudPart [cloud-init-empty]',
    ],
    [
      'more than a Secret holds',
      () => CloudInit.raw(`#!/bin/sh\n${'x'.repeat(1048567)}`),
      'CloudInit.raw: has 1048577 bytes, but an object of the cluster holds at most 1048576\n  put large files on a disk, or download them in the guest [cloud-init-object-size]',
    ],
    [
      'a script without interpreter',
      () => CloudPart.shellScript('ls'),
      'CloudPart.shellScript: the first line is not #! and an interpreter\n  begin with #! and an interpreter [cloud-init-header]',
    ],
    [
      'a login name',
      () => CloudUser.named('Me'),
      'CloudUser.named: name: is not a valid login name\n  use up to 32 lower case letters, digits, dashes and underscores, not starting with a digit or dash [cloud-user-name]',
    ],
    [
      'a package name',
      () => CloudPackage.of('nginx=1', '1'),
      'CloudPackage.of: name: is not a package name\n  write only the name, without spaces, version or = [cloud-package-name]',
    ],
    [
      'nothing of a Secret',
      () => CloudInit.fromSecret({ name: 's' }, { userData: false }),
      'CloudInit.fromSecret: userData: neither user data nor network data is read from the Secret\n  set userData or networkData to true [cloud-init-empty]',
    ],
    [
      'a netplan of version 1',
      () => CloudNetwork.netplan({ version: 1 }),
      'CloudNetwork.netplan: version: must be 2\n  add version: 2 [cloud-network-version]',
    ],
    [
      'an include with an invalid URL',
      () => CloudPart.include('https://a.example/x', 'y'),
      'CloudPart.include: urls[1]: is not a valid URL\n  use a URL such as https://example.com/user-data [cloud-part-url]',
    ],
    [
      'a part of no type',
      () => CloudPart.of('shell', ''),
      'CloudPart.of: contentType: is not a content type of text\n  use a type that cloud-init supports, such as text/x-shellscript [cloud-part-type]',
    ],
  ])('%s', (_, action, text) => expect(mistakeOf(action)).toEqual(text));
});

describe('what is secret', () => {
  const pem = '-----BEGIN RSA PRIVATE KEY-----\nhunter2\n-----END RSA PRIVATE KEY-----';
  const secrets: [string, (sensitive?: boolean) => CloudInit][] = [
    ['a password in raw', (sensitive) => CloudInit.noCloud({ raw: { password: 'hunter2' }, sensitive })],
    [
      'a private key in a file',
      (sensitive) => CloudInit.noCloud({ writeFiles: [{ path: '/k', content: pem }], sensitive }),
    ],
    ['a private key in a script', (sensitive) => CloudInit.raw(`#!/bin/sh\necho '${pem}'\n`, { sensitive })],
    [
      'a password in a part',
      (sensitive) => CloudInit.multipart([CloudPart.cloudConfig({ raw: { password: 'hunter2' } })], { sensitive }),
    ],
    [
      'a password in a template',
      (sensitive) =>
        CloudInit.multipart([CloudPart.jinja('## template: jinja\n#cloud-config\npassword: hunter2\n')], { sensitive }),
    ],
  ];

  test.each(secrets)('%s is refused, and not repeated', (_, make) => {
    const text = mistakeOf(() => make());
    expect(text).toMatch(/\[cloud-init-(password|private-key)\]$/);
    expect(text).toContain('sensitive: true');
    expect(text).not.toContain('hunter2');
  });

  test.each(secrets)('%s is only in the generated Secret when it is marked', (_, make) => {
    const chart: Chart = testChart();
    testVm({ cloudInit: make(true) }, chart);
    const objects = Testing.synth(chart) as { kind: string }[];
    expect(JSON.stringify(objects.filter(({ kind }) => kind !== 'Secret'))).not.toContain('hunter2');
    expect(JSON.stringify(objects.filter(({ kind }) => kind === 'Secret'))).toContain('hunter2');
  });

  test('a password of a user is named by its Secret', () => {
    const users = [CloudUser.named('me', { passwordFrom: { name: 'passwords' } })];
    const { accessCredentials } = instanceSpec(
      testVm({ cloudInit: CloudInit.multipart([CloudPart.cloudConfig({ users })]) }),
    );
    expect(accessCredentials[0].userPassword.source).toEqual({ secret: { secretName: 'passwords' } });
  });
});

test.each([
  ['small data stays in the VM', CloudInit.noCloud({ hostname: 'a' }), undefined],
  ['sensitive data does not', CloudInit.noCloud({ hostname: 'a', sensitive: true }), ['userdata']],
  ['large data does not', CloudInit.raw(`#!/bin/sh\n# ${'x'.repeat(2100)}\n`), ['userdata']],
  [
    'network data is stored in the same Secret',
    CloudInit.raw('#!/bin/sh\n', { networkConfig: { version: 2 }, sensitive: true }),
    ['userdata', 'networkdata'],
  ],
  ['exactly 2048 bytes stay', CloudInit.raw(`#!/bin/sh\n${'x'.repeat(2038)}`), undefined],
  ['2049 bytes do not', CloudInit.raw(`#!/bin/sh\n${'x'.repeat(2039)}`), ['userdata']],
  ['what is in a Secret already needs none', CloudInit.fromSecret({ name: 's' }), undefined],
])('%s', (_, cloudInit, keys) => {
  const data = cloudInit._secretData();
  expect(data && Object.keys(data)).toEqual(keys);
  expect(cloudInit._checksum()).toEqual(keys ? expect.stringMatching(/^[0-9a-f]{16}$/) : undefined);
  const rendered = JSON.stringify(cloudInit._renderVolume('x', keys ? secretName : undefined));
  for (const text of Object.values(data ?? {})) expect(rendered).not.toContain(JSON.stringify(text).slice(1, -1));
});

test('the checksum follows the data alone', () => {
  const of = (hostname: string) => CloudInit.noCloud({ hostname, sensitive: true })._checksum();
  expect(of('a')).toBe(of('a'));
  expect(of('a')).not.toBe(of('b'));
});

test.each([
  ['user data', {}, { secretRef: { name: 's' } }],
  ['network data, too', { networkData: true }, { secretRef: { name: 's' }, networkDataSecretRef: { name: 's' } }],
  ['network data alone', { userData: false, networkData: true }, { networkDataSecretRef: { name: 's' } }],
])('of an existing Secret: %s', (_, options, want) => {
  expect(CloudInit.fromSecret({ name: 's' }, options)._renderVolume('x')).toEqual({
    name: 'x',
    cloudInitNoCloud: want,
  });
  const drive = CloudInit.fromSecret({ name: 's' }, { ...options, source: CloudInitSource.CONFIG_DRIVE });
  expect(drive._renderVolume('x')).toEqual({ name: 'x', cloudInitConfigDrive: want });
});

test('ConfigDrive gets its network as JSON', () => {
  const networkConfig = CloudNetwork.openStack({ links: [{ id: 'a', type: 'phy' }], networks: [] });
  const { networkData } = CloudInit.configDrive({ networkConfig })._renderVolume('x').cloudInitConfigDrive ?? {};
  expect(JSON.parse(networkData ?? '')).toEqual({ links: [{ id: 'a', type: 'phy' }], networks: [] });
});

test('netplan’s own keys pass where netplan is', () => {
  const config = {
    version: 2,
    ethernets: { eth0: { routes: [{ to: 'default', via: '192.0.2.1', 'on-link': true }] } },
  };
  expect(mistakeOf(() => CloudInit.noCloud({ networkConfig: config }))).toContain('cloud-init-unknown-key');
  const { networkData } = source(CloudInit.noCloud({ networkConfig: CloudNetwork.netplan(config) })) ?? {};
  expect(parse(networkData ?? '')).toEqual(config);
});

test('the same parts give the same message, other parts another boundary', () => {
  const of = (script: string) => source(CloudInit.multipart([CloudPart.shellScript(script)]))?.userData ?? '';
  expect(of('#!/bin/sh\na\n')).toBe(of('#!/bin/sh\na\n'));
  const boundary = (text: string) => /boundary="([^"]+)"/.exec(text)?.[1];
  expect(boundary(of('#!/bin/sh\na\n'))).not.toBe(boundary(of('#!/bin/sh\nb\n')));
});

test.each([
  ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nhunter2\n-----END OPENSSH PRIVATE KEY-----'],
  ['two keys on two lines', `${key}\n${key}`],
  ['a word', 'hunter2'],
])('rejects %s as a public key, without repeating it', (_, wrong) => {
  const text = mistakeOf(() => CloudUser.named('me', { sshKeys: [key, wrong] }));
  expect(text).toMatch(
    /^CloudUser\.named: sshKeys\[1\]: of "me" is not a public key\n {2}use a line of authorized_keys/,
  );
  expect(text).not.toContain('hunter2');
});
