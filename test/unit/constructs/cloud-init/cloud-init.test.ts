import { Chart, Testing } from 'cdk8s';
import { parse } from 'yaml';
import { CloudInit, CloudPart, CloudUser } from '../../../../src';
import { instanceSpec, testChart, testVm } from '../fixtures';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILW7aSsw7cpDlOyQG5vhME4g60ABK3Hg1Jp1/QpvmPKT me@home';
const volume = (cloudInit: CloudInit) => instanceSpec(testVm({ cloudInit })).volumes[1];

/** The cloud-config that the guest reads. */
function config(cloudInit: CloudInit): unknown {
  const { userData } = volume(cloudInit).cloudInitNoCloud;
  expect(userData).toMatch(/^#cloud-config\n/);
  return parse(userData);
}

test('a secret that a sensitive config may contain is reported in the same config without the mark', () => {
  const secret = { runcmd: ["echo 'ops:hunter2' | chpasswd"] };
  expect(() => CloudInit.noCloud({ ...secret, sensitive: true })).not.toThrow();
  expect(() => CloudInit.noCloud(secret)).toThrow('holds a password');
});

test('every property becomes its key of cloud-config', () => {
  expect(
    config(
      CloudInit.noCloud({
        users: [CloudUser.named('me', { sshKeys: [`${key}\n`], groups: ['docker'], shell: '/bin/bash' })],
        packages: ['nginx'],
        packageUpdate: true,
        runcmd: ['systemctl enable --now nginx', "echo 'it: works' > /x"],
        writeFiles: [{ path: '/etc/motd', content: 'line: "1"\n', owner: 'me', append: true }],
        hostname: 'web',
        timezone: 'Europe/Prague',
        raw: { locale: 'C.UTF-8' },
      }),
    ),
  ).toEqual({
    hostname: 'web',
    timezone: 'Europe/Prague',
    users: [
      {
        name: 'me',
        sudo: 'ALL=(ALL) NOPASSWD:ALL',
        groups: ['docker'],
        shell: '/bin/bash',
        ssh_authorized_keys: [key],
      },
    ],
    package_update: true,
    packages: ['nginx'],
    write_files: [{ path: '/etc/motd', content: 'line: "1"\n', owner: 'me', permissions: '0644', append: true }],
    runcmd: ['systemctl enable --now nginx', "echo 'it: works' > /x"],
    locale: 'C.UTF-8',
  });
});

test('keys for root let root log in', () => {
  expect(config(CloudInit.noCloud({ users: [CloudUser.named('root', { sshKeys: [key] })] }))).toEqual({
    disable_root: false,
    users: [{ name: 'root', ssh_authorized_keys: [key] }],
  });
});

test('nothing to do is still a cloud-config', () => expect(config(CloudInit.noCloud({}))).toEqual({}));

test('network configuration is stored next to the user data', () => {
  const networkConfig = { version: 2, ethernets: { eth0: { dhcp4: true } } };
  expect(parse(volume(CloudInit.noCloud({ networkConfig })).cloudInitNoCloud.networkData)).toEqual(networkConfig);
});

test('other sources: config drive, raw text, an existing Secret', () => {
  expect(volume(CloudInit.configDrive({ hostname: 'x' })).cloudInitConfigDrive.userData).toContain('hostname: x');
  expect(volume(CloudInit.raw('#!/bin/sh\ntrue\n')).cloudInitNoCloud).toEqual({ userData: '#!/bin/sh\ntrue\n' });
  expect(volume(CloudInit.fromSecret({ name: 's' })).cloudInitNoCloud).toEqual({ secretRef: { name: 's' } });
});

test.each([
  ['noCloud', CloudInit.noCloud({ diskName: 'seed' })],
  ['configDrive', CloudInit.configDrive({ diskName: 'seed' })],
  ['raw', CloudInit.raw('#!/bin/sh\n', { diskName: 'seed' })],
  ['multipart', CloudInit.multipart([CloudPart.shellScript('#!/bin/sh\n')], { diskName: 'seed' })],
  ['fromSecret', CloudInit.fromSecret({ name: 's' }, { diskName: 'seed' })],
])('%s names its disk', (_, { diskName }) => expect(diskName).toBe('seed'));

test('the disk has a default name', () => expect(CloudInit.noCloud({}).diskName).toBe('cloudinit'));

describe('a Secret holds what is', () => {
  const objects = (cloudInit: CloudInit) => {
    const chart: Chart = testChart();
    testVm({ cloudInit }, chart);
    return Testing.synth(chart);
  };

  test('too large for the manifest', () => {
    const long = CloudInit.noCloud({ writeFiles: [{ path: '/x', content: 'é'.repeat(1100) }] });
    const [secret, vm] = objects(long).sort((a, b) => a.kind.localeCompare(b.kind));
    expect(secret).toMatchObject({ kind: 'Secret', metadata: { name: 'web-vm-cloudinit' } });
    expect(parse(secret.stringData.userdata).write_files[0].content).toHaveLength(1100);
    expect(vm.spec.template.spec.volumes[1]).toEqual({
      name: 'cloudinit',
      cloudInitNoCloud: { secretRef: { name: 'web-vm-cloudinit' } },
    });
  });

  test('marked sensitive, with its network configuration', () => {
    const vm = objects(
      CloudInit.noCloud({ runcmd: ['join --token hunter2'], networkConfig: { version: 2 }, sensitive: true }),
    );
    expect(JSON.stringify(vm.find(({ kind }) => kind === 'VirtualMachine'))).not.toContain('hunter2');
    expect(vm.find(({ kind }) => kind === 'Secret').stringData).toEqual({
      userdata: '#cloud-config\nruncmd:\n  - join --token hunter2\n',
      networkdata: 'version: 2\n',
    });
  });
});

test('a password is a reference that the guest agent resolves', () => {
  const users = [
    CloudUser.named('me', { passwordFrom: { name: 'passwords' } }),
    CloudUser.named('you', { passwordFrom: { name: 'passwords' } }),
  ];
  expect(instanceSpec(testVm({ cloudInit: CloudInit.noCloud({ users }) })).accessCredentials).toEqual([
    { userPassword: { source: { secret: { secretName: 'passwords' } }, propagationMethod: { qemuGuestAgent: {} } } },
  ]);
});
