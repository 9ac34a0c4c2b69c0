import { validateNetworkText, validateUserText } from '../../../../src/api/cloud-init/raw-text';
import { root } from '../../../../src/api/findings';
import type { Finding } from '../../../../src/api/findings';

const short = (findings: readonly Finding[]): string[] => findings.map(({ rule, cause }) => `${rule}: ${cause}`);
const user = (text: string): string[] => short(validateUserText(text, root));
const config = (text: string): string[] => user(`#cloud-config\n${text}`);
const network = (text: string, source: 'NoCloud' | 'ConfigDrive' = 'NoCloud'): string[] =>
  short(validateNetworkText(text, root, source));
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILW7aSsw7cpDlOyQG5vhME4g60ABK3Hg1Jp1/QpvmPKT';

test.each([
  ['nothing but the header', '#cloud-config\n'],
  ['line ends of Windows', '#cloud-config\r\npackages: [nginx]\r\n'],
  ['a mode without quotes that is octal', '#cloud-config\nwrite_files:\n- path: /x\n  permissions: 0644\n'],
  ['numbers in a mount', '#cloud-config\nmounts:\n- [vdb, /data, ext4, defaults, 0, 2]\n'],
  ['a date without quotes', '#cloud-config\nusers:\n- name: ops\n  expiredate: 2030-12-31\n'],
  ['booleans of YAML 1.1', '#cloud-config\nssh_pwauth: yes\npackage_update: on\n'],
  ['anchors and merged keys', '#cloud-config\nwrite_files:\n- &a {path: /x, content: y}\n- {<<: *a, path: /z}\n'],
  ['a flow list that ends at the margin', '#cloud-config\npackages: [\n  nginx\n]\n'],
  ['a whole key', `#cloud-config\nssh_authorized_keys:\n- ${KEY} me\n`],
  ['a template', '## template: jinja\n#cloud-config\nhostname: {{ v1.local_hostname }}\n'],
  ['a script', '#!/usr/bin/env python3\nprint(1)\n'],
  ['a rule of sudo', '#cloud-config\nusers:\n- {name: ops, sudo: "ALL=(ALL:ALL) NOPASSWD:ALL", shell: /bin/bash}\n'],
  ['Ignition', '{"ignition": {"version": "3.4.0"}}'],
  ['Talos', 'version: v1alpha1\nmachine:\n  type: worker\n'],
  ['PowerShell', '#ps1_sysnative\nRename-Computer web\n'],
  [
    'a message of two parts',
    mime('text/cloud-config', '#cloud-config\npackages: [a]\n', 'text/x-shellscript', '#!/bin/sh\nls\n'),
  ],
])('accepts %s', (_, text) => expect(user(text)).toEqual([]));

test.each([
  ['a tab', 'packages:\n\t- nginx\n', 'cloud-init-syntax: line 3: is indented by a tab'],
  ['an open quote', "hostname: 'web\n", 'cloud-init-syntax: line 3: lacks a colon, comma, quote or bracket'],
  [
    'a template without its header',
    'hostname: {{ v1.local_hostname }}\n',
    'cloud-init-jinja: line 2: cloud-init replaces {{ … }} only in a jinja template',
  ],
  [
    'braces without a template header',
    'hostname: {{ name }}\n',
    'cloud-init-syntax: line 2: has a map or list as a key',
  ],
  ['a list', '- packages\n', 'cloud-init-type: must be a map of keys, is a list'],
  [
    'a text where a list is expected',
    'packages: nginx\n',
    'cloud-init-type: line 2: packages: must be a list, is a text',
  ],
  ['a misspelt key', 'pakages: [nginx]\n', 'cloud-init-unknown-key: line 2: pakages: is not a key of cloud-init'],
  [
    'a misspelt key of a user',
    'users:\n- name: ops\n  shel: /bin/sh\n',
    'cloud-init-unknown-key: line 4: users[0].shel: is not a key of cloud-init',
  ],
  [
    'a command with a colon',
    'runcmd:\n- echo hello: world\n',
    /^cloud-init-type: line 3: runcmd\[0\]: must be .*, is a map$/,
  ],
  [
    'a key that is written twice',
    'runcmd: [ls]\npackages: [a]\nruncmd: [id]\n',
    'cloud-init-key-unique: line 4: runcmd: the key is written twice, and the last value wins',
  ],
  [
    'a decimal mode',
    'write_files:\n- path: /x\n  permissions: 644\n',
    'cloud-file-mode: line 4: write_files[0].permissions: is a decimal number, but a mode has octal digits',
  ],
  [
    'a file without a path',
    'write_files:\n- content: x\n',
    'cloud-init-required: line 3: write_files[0].path: is missing',
  ],
  [
    'content that is not base64',
    'write_files:\n- {path: /x, encoding: b64, content: "a b!"}\n',
    'cloud-file-content: line 3: write_files[0].content: is not base64, but encoding says so',
  ],
  [
    'a shell without its path',
    'users:\n- name: ops\n  shell: bash\n',
    'cloud-user-shell: line 4: users[0].shell: is not an absolute path: nobody can log in',
  ],
  [
    'a rule of sudo without the colon of its tag',
    'users:\n- name: ops\n  sudo: ALL=(ALL) NOPASSWD ALL\n',
    'cloud-user-sudo: line 4: users[0].sudo: is not a rule of sudoers: sudo works for nobody then',
  ],
  [
    'a login by password that is neither yes nor no',
    'ssh_pwauth: maybe\n',
    'cloud-init-enum: line 2: ssh_pwauth: says neither yes nor no',
  ],
  [
    'two packages in one item',
    'packages: [nginx curl]\n',
    'cloud-package-name: line 2: packages[0]: contains a space, and is installed as one package',
  ],
  ['a host name with an underscore', 'hostname: web_1\n', 'cloud-host-name: line 2: hostname: is not a host name'],
  [
    'a time zone that does not exist',
    'timezone: Europe/Berln\n',
    'cloud-time-zone: line 2: timezone: is not a time zone, so the guest keeps UTC',
  ],
  [
    'a truncated key',
    `users:\n- name: ops\n  ssh_authorized_keys:\n  - ${KEY.slice(0, 60)}\n`,
    'cloud-user-key: line 5: users[0].ssh_authorized_keys[0]: is a truncated public key',
  ],
])('reports %s', (_, text, want) => {
  const [first] = config(text);
  expect(first).toEqual(typeof want === 'string' ? want : (expect.stringMatching(want) as string));
});

test.each([
  ['no header', 'packages: [nginx]\n', 'begin with #cloud-config, or with #! and an interpreter'],
  ['a header with a space', '# cloud-config\npackages: [nginx]\n', 'write #cloud-config, without spaces'],
])('reports %s with its remedy', (_, text, remedy) => {
  expect(validateUserText(text, root).map((each) => [each.rule, each.remedy])).toEqual([['cloud-init-header', remedy]]);
});

test.each([
  ['line ends of Windows', '#!/bin/bash\r\nls\r\n', 'cloud-init-interpreter'],
  ['a folded script', '#!/bin/bash apt-get update apt-get install nginx\n', 'cloud-init-interpreter'],
  ['a folded cloud-config', '#cloud-config packages: [nginx]\n', 'cloud-init-header'],
  [
    'a mistake below a comment in the first line',
    '#cloud-config for web\npakages: [nginx]\n',
    'cloud-init-unknown-key',
  ],
  ['a relative interpreter', '#!bash\nls\n', 'cloud-init-interpreter'],
  ['a template of nothing', '## template: jinja\nhostname: web\n', 'cloud-init-header'],
  ['a message without a boundary', 'Content-Type: multipart/mixed\n\ntext\n', 'cloud-init-multipart'],
  ['an unknown part', mime('text/x-python', 'print(1)\n'), 'cloud-init-multipart'],
  ['a misspelt key in a part', mime('text/cloud-config', '#cloud-config\npakages: [a]\n'), 'cloud-init-unknown-key'],
  ['a plain part without a header', mime('text/plain', 'ls\n'), 'cloud-init-header'],
])('reports %s', (_, text, rule) => expect(validateUserText(text, root).map((each) => each.rule)).toEqual([rule]));

test('names the part of a message', () => {
  expect(user(mime('text/x-shellscript', '#!/bin/sh\n', 'text/cloud-config', '#cloud-config\nruncmd: ls\n'))).toEqual([
    'cloud-init-type: part 2: line 2: runcmd: must be a list, is a text',
  ]);
});

test.each([
  ['version 2', 'version: 2\nethernets:\n  eth0: {dhcp4: true}\n', []],
  ['version 2 inside of a key', 'network:\n  version: 2\n  ethernets:\n    eth0: {dhcp4: true}\n', []],
  [
    'a MAC address without quotes that begins with 0',
    'version: 2\nethernets:\n  eth0:\n    match: {macaddress: 02:00:00:00:00:01}\n',
    [],
  ],
  [
    'a MAC address that YAML reads as a number',
    'version: 2\nethernets:\n  eth0:\n    match: {macaddress: 52:54:00:12:34:56}\n',
    ['cloud-init-type: line 4: ethernets.eth0.match.macaddress: must be a text, is a number'],
  ],
  [
    'an address without prefix',
    'version: 2\nethernets:\n  eth0:\n    addresses: [192.0.2.10]\n',
    ['cloud-network-address: line 4: ethernets.eth0.addresses[0]: is not an address with a prefix length'],
  ],
  [
    'a misspelt key',
    'version: 2\nethernets:\n  eth0: {dhcp: true}\n',
    ['cloud-init-unknown-key: line 3: ethernets.eth0.dhcp: is not a key of network configuration'],
  ],
  [
    'a gateway of another network',
    'version: 2\nethernets:\n  eth0:\n    addresses: [192.0.2.10/24]\n    gateway4: 192.0.3.1\n',
    ['cloud-network-gateway: line 5: ethernets.eth0.gateway4: is not in 192.0.2.10/24: the guest cannot reach it'],
  ],
  [
    'a gateway of the link',
    'version: 2\nethernets:\n  eth0:\n    addresses: [2001:db8::10/64]\n    gateway6: fe80::1\n',
    [],
  ],
  [
    'a name server by its name',
    'version: 2\nethernets:\n  eth0:\n    dhcp4: true\n    nameservers: {addresses: [dns.example]}\n',
    [
      'cloud-network-address: line 5: ethernets.eth0.nameservers.addresses[0]: is not an IP address: a name server is found before any name',
    ],
  ],
  ['no version', 'ethernets: {}\n', ['cloud-network-version: line 1: version: is missing']],
  ['no YAML', 'version: 2\n ethernets: {}\n', [expect.stringMatching(/^cloud-init-syntax: line/) as string]],
  ['no document', 'eth0\n', ['cloud-network-format: must be a map with version: 1 or 2, but has no keys']],
])('network configuration as text: %s', (_, text, want) => expect(network(text)).toEqual(want));

test("reads OpenStack's JSON for a config drive", () => {
  expect(network('{"links": [], "networks": [], "services": []}', 'ConfigDrive')).toEqual([]);
  expect(network('version: 2\n', 'ConfigDrive')).toHaveLength(1);
});

test.each([
  '#cloud-config\npassword: [hunter2]\nchpasswd: hunter2\nusers: hunter2: x\n',
  '#cloud-config\nusers:\n- name: ops\n  passwd: {hunter2: hunter2}\n',
  '#cloud-config\nhostname: "hunter2 x"\ntimezone: hunter2\nwrite_files:\n- {path: hunter2, permissions: hunter2}\n',
  'hunter2\n',
])('never repeats a value: %j', (text) => {
  const findings = validateUserText(text, root);
  expect(findings).not.toEqual([]);
  expect(JSON.stringify(findings.map(({ path: _, ...rest }) => rest))).not.toMatch(/hunter2(?!:)/);
});

test('reports no more than twenty mistakes of one document', () => {
  const text = Array.from({ length: 50 }, (_, i) => `zz${i}: 1`).join('\n');
  expect(config(text)).toHaveLength(20);
});

function mime(...parts: string[]): string {
  const sections = parts.flatMap((type, i) =>
    i % 2 === 0 ? [`--b\nContent-Type: ${type}; charset="utf-8"\nMIME-Version: 1.0\n\n${parts[i + 1]}`] : [],
  );
  return `Content-Type: multipart/mixed; boundary="b"\nMIME-Version: 1.0\n\n${sections.join('\n')}\n--b--\n`;
}

test('a finding has the line of its text, but not that of a part', () => {
  const lines = (text: string): unknown[] => validateUserText(text, root).map(({ line }) => line);
  expect(lines('#cloud-config\n\npakages: [a]\nruncmd: [')).toEqual([4]);
  expect(lines('#cloud-config\n\npakages: [a]\n')).toEqual([3]);
  const part = 'Content-Type: text/cloud-config\n\n#cloud-config\npakages: [a]\n';
  expect(lines(`Content-Type: multipart/mixed; boundary="b"\n\n--b\n${part}--b--\n`)).toEqual([undefined]);
});

test.each(['#!/usr/bin/env bash\n', '#!/bin/sh -e\n', '#!/bin/sh\n\nls\n', '#cloud-config # for web\npackages: [a]\n'])(
  'accepts %j',
  (text) => expect(validateUserText(text, root)).toEqual([]),
);
