import type { Loose } from '../fixtures';
import { object, together, words } from './worlds';

const broken = '#cloud-config\npakages: [nginx]\n';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const spec = (source: Loose, field = 'cloudInitNoCloud'): Loose => ({
  domain: { devices: {} },
  volumes: [{ name: 'init', [field]: source }],
});
const vm = (source: Loose, field?: string): Loose =>
  object('kubevirt.io/v1', 'VirtualMachine', 'web', { template: { spec: spec(source, field) } });
const secret = (fields: Loose): Loose => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'init' }, ...fields });
const at = 'spec.template.spec.volumes[0].cloudInitNoCloud';
const named = { secretRef: { name: 'init' } };

test.each<[string, Loose[], string[]]>([
  ['accepts sound text', [vm({ userData: '#cloud-config\npackages: [nginx]\n' })], []],
  ['reports text', [vm({ userData: broken })], [`cloud-init-unknown-key ${at}.userData`]],
  ['reports base64', [vm({ userDataBase64: base64(broken) })], [`cloud-init-unknown-key ${at}.userDataBase64`]],
  [
    'reports base64 that is not valid',
    [vm({ userDataBase64: '#cloud-config' })],
    [`cloud-init-base64 ${at}.userDataBase64`],
  ],
  ['reports network data', [vm({ networkData: 'ethernets: {}\n' })], [`cloud-network-version ${at}.networkData`]],
  [
    'reports network data in base64',
    [vm({ networkDataBase64: base64('version: 3\n') })],
    [`cloud-network-version ${at}.networkDataBase64`],
  ],
  [
    'reports network data of another form for a config drive',
    [vm({ networkData: 'version: 2\n' }, 'cloudInitConfigDrive')],
    ['cloud-network-format spec.template.spec.volumes[0].cloudInitConfigDrive.networkData'],
  ],
  [
    'reads a Secret that is declared',
    [secret({ stringData: { userdata: broken } }), vm(named)],
    [`cloud-init-unknown-key ${at}.secretRef.name`],
  ],
  [
    'reads a Secret in base64',
    [secret({ data: { userData: base64(broken) } }), vm(named)],
    [`cloud-init-unknown-key ${at}.secretRef.name`],
  ],
  [
    'reports a Secret without the key',
    [secret({ stringData: { 'user-data': broken } }), vm(named)],
    [`cloud-init-secret-key ${at}.secretRef.name`],
  ],
  [
    'reports a Secret without the key for the network',
    [secret({ stringData: { userdata: 'x' } }), vm({ networkDataSecretRef: { name: 'init' } })],
    [`cloud-init-secret-key ${at}.networkDataSecretRef.name`],
  ],
  ['accepts a Secret that somebody else fills', [secret({}), vm(named)], []],
  ['accepts a Secret that is not declared', [vm(named)], []],
  [
    'reads the template of a replica set',
    [
      object('kubevirt.io/v1', 'VirtualMachineInstanceReplicaSet', 'web', {
        template: { spec: spec({ userData: broken }) },
      }),
    ],
    [`cloud-init-unknown-key ${at}.userData`],
  ],
])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));

test('repeats neither the text nor the values of a Secret', () => {
  const reported = words(secret({ stringData: { userdata: '#cloud-config\npassword: [hunter2]\n' } }), vm(named));
  expect(reported).toEqual([
    'key "userdata" of Secret "init": line 2: password: must be a text, is a list; write a text',
  ]);
});
