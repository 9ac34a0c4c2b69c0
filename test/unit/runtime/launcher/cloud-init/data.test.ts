import { configDriveFiles, noCloudFiles } from '../../../../../src/runtime/launcher/cloud-init/data';

const input = {
  instanceId: '5d307ca9-b3ef-428c-8861-06e72d69f223',
  hostname: 'web',
  namespace: 'default',
  userData: '#cloud-config\n',
  publicKeys: ['ssh-ed25519 AAAA me\n# a comment\nssh-rsa BBBB me\n', 'ssh-ed25519 AAAA me'],
};

test('NoCloud has instance-id, host name, each key once, and user data', () => {
  const files = noCloudFiles(input);
  expect(JSON.parse(files['meta-data'] as string)).toEqual({
    'instance-id': input.instanceId,
    'local-hostname': 'web',
    'public-keys': { 0: 'ssh-ed25519 AAAA me', 1: 'ssh-rsa BBBB me' },
  });
  expect(files['user-data']).toBe('#cloud-config\n');
  expect(files['network-config']).toBeUndefined();
});

test('ConfigDrive has the same in OpenStack layout', () => {
  const files = configDriveFiles({ ...input, networkData: '{"links":[]}' });
  expect(JSON.parse(files['openstack/latest/meta_data.json'] as string)).toMatchObject({
    instance_id: input.instanceId,
    hostname: 'web',
    public_keys: { 0: 'ssh-ed25519 AAAA me' },
  });
  expect(files['openstack/latest/network_data.json']).toBe('{"links":[]}');
});
