import { execFileSync } from 'node:child_process';
import { buildScpArguments, buildSshArguments, parseScpTargets, shellQuote } from '../../../src/cli/open-ssh';

const guest = { kind: 'vm', name: 'web', namespace: 'prod' } as const;
const flags = { port: 22, localSshOpts: [] };
const proxy = ['/usr/bin/node', '/opt/my virt8s/virt8s.cjs', '--kubeconfig=/root/a b'];
const connection =
  "ProxyCommand=/usr/bin/node '/opt/my virt8s/virt8s.cjs' '--kubeconfig=/root/a b' port-forward --stdio=true vm/web/prod 22";

test('ssh connects through this command, to the same API server', () => {
  expect(buildSshArguments(guest, flags, proxy)).toEqual(['-o', connection, '--', 'vm.web.prod']);
});

test('flags become those of ssh, and the user of the target wins', () => {
  const all = {
    username: 'root',
    identityFile: 'id',
    knownHosts: 'kh',
    port: 2222,
    localSshOpts: ['-o StrictHostKeyChecking=no', '-v'],
    command: 'uptime',
  };
  expect(buildSshArguments({ ...guest, user: 'jdoe' }, all, ['virt8s'])).toEqual([
    '-o',
    'ProxyCommand=virt8s port-forward --stdio=true vm/web/prod 2222',
    '-o',
    'UserKnownHostsFile=kh',
    '-o StrictHostKeyChecking=no',
    '-v',
    '-i',
    'id',
    '--',
    'jdoe@vm.web.prod',
    'uptime',
  ]);
  expect(buildSshArguments(guest, all, ['virt8s'])).toContain('root@vm.web.prod');
});

test('a percent sign is not expanded by ssh', () => {
  expect(buildSshArguments(guest, flags, ['/a%h/virt8s'])[1]).toMatch(/^ProxyCommand=\/a%%h\/virt8s /);
});

test.each([
  ['a.bin', 'jdoe@vm/web:b.bin', { localPath: 'a.bin', remotePath: 'b.bin', upload: true }],
  ['vm/web/prod:', '.', { localPath: '.', remotePath: '', upload: false }],
  ['./a:b', 'vm/web:c:d', { localPath: './a:b', remotePath: 'c:d', upload: true }],
  ['/tmp/a:b', 'vm/web:c', { localPath: '/tmp/a:b', remotePath: 'c', upload: true }],
])('scp %s %s', (source, destination, expected) => {
  expect(parseScpTargets(source, destination)).toMatchObject(expected);
});

test.each([
  ['vm/a:x', 'vm/b:y', /from one guest to another/],
  ['a', 'b', /neither "a" nor "b" is in a guest/],
])('scp %s %s is rejected', (source, destination, message) => {
  expect(() => parseScpTargets(source, destination)).toThrow(message);
});

test('scp gets its flags, and source before destination', () => {
  const targets = { ...parseScpTargets('vm/web:logs', 'here'), remote: { ...guest, user: 'jdoe' } };
  const args = buildScpArguments(targets, { ...flags, recursive: true, preserve: true }, ['virt8s']);
  expect(args.slice(2)).toEqual(['-r', '-p', '--', 'jdoe@vm.web.prod:logs', 'here']);
});

test.each(['plain', 'with space', "o'clock", '$HOME `id`', '', '*', 'a\nb'])(
  'the shell reads %j as one word',
  (word) => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellQuote(word)}`]).toString()).toBe(word);
  },
);
