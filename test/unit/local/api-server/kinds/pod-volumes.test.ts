import { validateVolumes } from '../../../../../src/local/api-server/kinds/pod-volumes';
import { Fields } from '../../../../../src/local/api-server/validation/fields';

function reported(...volumes: object[]): string[] {
  const fields = Fields.root('volumes');
  validateVolumes(volumes as never[], fields);
  return fields.causes.map(({ reason, field }) => `${reason!.replace('FieldValue', '')} ${field}`);
}

const empty = { emptyDir: {} };
test.each<[string, object[], string[]]>([
  ['none', [], []],
  [
    'two',
    [
      { name: 'a', ...empty },
      { name: 'b', ...empty },
    ],
    [],
  ],
  ['one without a name', [empty], ['Required volumes[0].name']],
  ['one whose name is not a label', [{ name: 'A', ...empty }], ['Invalid volumes[0].name']],
  [
    'a wrong name twice',
    [
      { name: 'A', ...empty },
      { name: 'A', ...empty },
    ],
    ['Invalid volumes[0].name', 'Invalid volumes[1].name'],
  ],
  [
    'a name twice',
    [
      { name: 'a', ...empty },
      { name: 'a', ...empty },
    ],
    ['Duplicate volumes[1].name'],
  ],
  ['one of nothing', [{ name: 'a' }], ['Required volumes[0]']],
  ['one of two kinds', [{ name: 'a', ...empty, secret: { secretName: 'x' } }], ['Forbidden volumes[0].secret']],
  ['a directory of the node', [{ name: 'a', hostPath: { path: '/srv/..data' } }], []],
  [
    'a path that leaves its directory',
    [{ name: 'a', hostPath: { path: '/srv/../etc' } }],
    ['Invalid volumes[0].hostPath.path'],
  ],
  ['no path', [{ name: 'a', hostPath: {} }], ['Required volumes[0].hostPath.path']],
  ['a path of something else', [{ name: 'a', nfs: { server: 's', path: '/a/../b' } }], []],
  ['no Secret', [{ name: 'a', secret: {} }], ['Required volumes[0].secret.secretName']],
  ['no ConfigMap', [{ name: 'a', configMap: {} }], ['Required volumes[0].configMap.name']],
  ['no claim', [{ name: 'a', persistentVolumeClaim: {} }], ['Required volumes[0].persistentVolumeClaim.claimName']],
  [
    'no server',
    [{ name: 'a', nfs: {} }],
    ['Required volumes[0].nfs.server', 'Required volumes[0].nfs.path', 'Invalid volumes[0].nfs.path'],
  ],
  ['the largest mode', [{ name: 'a', secret: { secretName: 's', defaultMode: 0o777 } }], []],
  [
    'a mode above it',
    [{ name: 'a', secret: { secretName: 's', defaultMode: 0o1000 } }],
    ['Invalid volumes[0].secret.defaultMode'],
  ],
  [
    'a file elsewhere',
    [{ name: 'a', configMap: { name: 'c', items: [{ key: 'k', path: '../x' }] } }],
    ['Invalid volumes[0].configMap.items[0].path'],
  ],
  ['a negative size', [{ name: 'a', emptyDir: { sizeLimit: '-1' } }], ['Forbidden volumes[0].emptyDir.sizeLimit']],
  ['no driver', [{ name: 'a', csi: {} }], ['Required volumes[0].csi.driver']],
  ['no image', [{ name: 'a', image: {} }], ['Required volumes[0].image.reference']],
])('%s', (_, volumes, want) => expect(reported(...volumes)).toEqual(want));

const at = 'volumes[0].projected.sources[0]';
test.each<[string, object | undefined, string[]]>([
  ['nothing', undefined, []],
  ['a ConfigMap', { configMap: { name: 'x' } }, []],
  ['a token of ten minutes', { serviceAccountToken: { path: 'token', expirationSeconds: 600 } }, []],
  [
    'a token of a second less',
    { serviceAccountToken: { path: 'token', expirationSeconds: 599 } },
    [`Invalid ${at}.serviceAccountToken.expirationSeconds`],
  ],
  ['a token without a place', { serviceAccountToken: {} }, ['Required volumes[0].projected.path']],
  [
    'two in one',
    { configMap: { name: 'x' }, serviceAccountToken: { path: 'token' } },
    [`Forbidden ${at}.serviceAccountToken`],
  ],
])('projected: %s', (_, source, want) => {
  expect(reported({ name: 'a', projected: source ? { sources: [source] } : {} })).toEqual(want);
});

test('names are those of the valid volumes', () => {
  const volumes = [{ name: 'a', ...empty }, { name: 'b' }];
  expect([...validateVolumes(volumes as never[], Fields.root('volumes'))]).toEqual(['a']);
});
