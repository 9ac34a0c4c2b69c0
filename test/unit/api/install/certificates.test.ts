import { operatorSecrets, platformCertificates } from '../../../../src/api/install/certificates';

const names = (importer: boolean): string[] => platformCertificates('vms', importer).map(({ secret }) => secret);

test('every Secret but that of the authority has one certificate', () => {
  const { authority, ...others } = operatorSecrets;
  expect(names(true)).toEqual(Object.values(others));
  expect(names(true)).not.toContain(authority);
});

test('without importer, CDI has the certificates for uploads', () => {
  expect(names(true).filter((name) => !names(false).includes(name))).toEqual([
    operatorSecrets.uploadProxy,
    operatorSecrets.uploadClient,
  ]);
});

describe('a certificate', () => {
  const of = (secret: string) => platformCertificates('vms', true).find((each) => each.secret === secret)!;

  test('of a server has every name of its Service, in the namespace of the platform', () => {
    expect(of(operatorSecrets.virtApi).hosts).toEqual([
      'virt-api',
      'virt-api.vms',
      'virt-api.vms.svc',
      'virt-api.vms.svc.cluster.local',
    ]);
    expect(of(operatorSecrets.uploadProxy).hosts).toEqual(
      expect.arrayContaining(['cdi-uploadproxy.vms.svc', 'virt-exportproxy.vms.svc']),
    );
  });

  test.each([
    [operatorSecrets.handlerServer, 'kubevirt.io:system:node:virt-handler', ['virt-handler']],
    [operatorSecrets.handlerClient, 'kubevirt.io:system:client:virt-handler', []],
    [operatorSecrets.uploadClient, 'client.upload-server.cdi.kubevirt.io', []],
  ])('%s has the name that its peer expects', (secret, commonName, hosts) =>
    expect(of(secret)).toEqual({ secret, commonName, hosts }),
  );
});
