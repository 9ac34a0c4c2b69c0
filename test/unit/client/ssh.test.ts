import { sshArguments } from '../../../src/client/ssh';

const local = { address: '127.0.0.1', port: 4022 };

test('ssh prompts for nothing, and accepts the new host keys of a recreated VM', () => {
  expect(sshArguments('uptime', 'vmi.web.shop', local, { user: 'me', identityFile: 'id' })).toEqual([
    ...['-o', 'BatchMode=yes', '-o', 'HostKeyAlias=vmi.web.shop'],
    ...['-o', 'UserKnownHostsFile=/dev/null', '-o', 'StrictHostKeyChecking=no', '-o', 'LogLevel=ERROR'],
    ...['-i', 'id', '-o', 'IdentitiesOnly=yes', '-l', 'me', '-p', '4022', '--', '127.0.0.1', 'uptime'],
  ]);
});

test('with known hosts, only a known key is accepted', () => {
  const args = sshArguments('uptime', 'vmi.web.shop', local, { knownHostsFile: 'known' });
  expect(args).toEqual(expect.arrayContaining(['UserKnownHostsFile=known', 'StrictHostKeyChecking=yes']));
  expect(args).not.toContain('StrictHostKeyChecking=no');
});

test('a command that looks like an option is passed as a command', () => {
  expect(sshArguments('-oProxyCommand=evil', 'a', local, {}).slice(-3)).toEqual([
    '--',
    '127.0.0.1',
    '-oProxyCommand=evil',
  ]);
});
