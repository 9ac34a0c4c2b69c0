import { clusterConfig, type KubeObject } from '../../../../src/api';
import { contextOf } from '../../../../src/api/context';
import { applied } from '../../../../src/cli/diff/applied';
import { compare } from '../../../../src/cli/diff/compare';
import { formatDiff, formatSummary } from '../../../../src/cli/diff/print';

const context = contextOf(clusterConfig());
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- mutations reach anywhere
type Any = any;
const vm = (mutate: (spec: Any, vm: Any) => void = () => undefined): KubeObject => {
  const object = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      runStrategy: 'Always',
      template: {
        spec: {
          domain: {
            memory: { guest: '2Gi' },
            devices: {
              disks: [
                { name: 'root', disk: { bus: 'virtio' } },
                { name: 'ci', disk: { bus: 'virtio' } },
              ],
            },
          },
          volumes: [
            { name: 'root', containerDisk: { image: 'registry.example/web:1' } },
            { name: 'ci', cloudInitNoCloud: { userData: '#cloud-config\npassword: hunter2\nruncmd:\n  - one\n' } },
          ],
        },
      },
    },
  };
  mutate(object.spec.template.spec, object);
  return object as never;
};
const print = (before: KubeObject | undefined, after: KubeObject | undefined): string => {
  const diff = compare(before, after, context);
  return diff ? formatDiff(diff) : '';
};

test('defaults of the webhook, other notations of a quantity, and the status are not differences', () => {
  const stored = vm((spec, object) => {
    spec.architecture = 'amd64';
    spec.domain.machine = { type: 'q35' };
    spec.domain.memory.guest = '2048Mi';
    object.metadata.finalizers = ['kubevirt.io/virtualMachineControllerFinalize'];
    object.metadata.resourceVersion = '7';
    object.status = { printableStatus: 'Running' };
  });
  expect(compare(stored, vm(), context)).toBeUndefined();
});

test("amounts of Kubernetes' own kinds are compared by their value", () => {
  const to = (requests: object): KubeObject =>
    ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { template: { spec: { containers: [{ name: 'c', resources: { requests } }] } } },
    }) as KubeObject;
  expect(compare(to({ cpu: '500m', memory: '1Gi' }), to({ cpu: 0.5, memory: '1024Mi' }), context)).toBeUndefined();
  expect(print(to({ cpu: '1' }), to({ cpu: '2000m' }))).toContain('requests.cpu: 1 → 2');
});

test('each field is reported with its effect on the guest', () => {
  const after = vm((spec) => {
    spec.domain.memory.guest = '4Gi';
    spec.domain.devices.disks[0].disk.bus = 'sata';
    spec.nodeSelector = { zone: 'a' };
  });
  expect(print(vm(), after)).toBe(`~ VirtualMachine shop/web
    spec.template.spec.domain.devices.disks[root].disk.bus: virtio → sata  [restart: a running guest keeps it]
    spec.template.spec.domain.memory.guest: 2Gi → 4Gi  [migration: memory is plugged; virt8s' own runtime: restart]
    spec.template.spec.nodeSelector.zone: + a  [live: it counts when the guest moves]`);
  expect(compare(vm(), after, context)).toMatchObject({ effect: 'restart' });
});

test('a VM that does not run gets all changes when it starts', () => {
  const after = vm((spec) => (spec.domain.memory.guest = '4Gi'));
  for (const stop of [
    (_: Any, object: Any) => (object.spec.runStrategy = 'Halted'),
    (_: Any, object: Any) => (object.status = { printableStatus: 'Stopped' }),
  ]) {
    expect(compare(vm(stop), after, context)).not.toHaveProperty('effect');
  }
});

test('objects that admission would reject are reported with the remedy', () => {
  const broken = vm((spec) => (spec.volumes[0].name = 'rooot'));
  expect(print(undefined, broken)).toMatch(/^\+ VirtualMachine shop\/web\n {4}rejected: .*\[disk-has-volume\]/);
  expect(print(vm(), broken)).toMatch(/\n {4}rejected: .*\[disk-has-volume\]/);
  const instance = (memory: string) =>
    ({
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: { name: 'a', namespace: 'b' },
      spec: { domain: { devices: {}, memory: { guest: memory } } },
    }) as KubeObject;
  expect(print(instance('1Gi'), instance('2Gi'))).toContain(
    'rejected: spec: update of VMI object is restricted; change the VirtualMachine',
  );
});

describe('secrets', () => {
  const secret = (fields: object): KubeObject =>
    ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, ...fields }) as KubeObject;
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const leaks = /hunter|aHVudGVy|swordfish|sha256/;

  test('values of Secrets are distinguished, and not shown', () => {
    const before = secret({ data: { same: base64('hunter1'), other: base64('hunter2'), gone: base64('hunter3') } });
    const after = secret({ stringData: { same: 'hunter1', other: 'swordfish', come: 'hunter4' } });
    expect(print(before, after)).toBe(`~ Secret s
    data.come: + (hidden)
    data.gone: - (hidden)
    data.other: (hidden) → (changed)`);
    expect(JSON.stringify(compare(before, after, context))).not.toMatch(leaks);
  });

  test('lines of user data are shown, those with passwords are covered', () => {
    const after = vm((spec) => {
      spec.volumes[1].cloudInitNoCloud.userData = '#cloud-config\npassword: swordfish\nruncmd:\n  - two\n';
    });
    const text = print(vm(), after);
    expect(text).toContain(
      '    spec.template.spec.volumes[ci].cloudInitNoCloud.userData:  [restart: a running guest keeps it]\n',
    );
    expect(text).toContain(
      '      - password: (hidden)\n      + password: (changed)\n        runcmd:\n      -   - one\n      +   - two',
    );
    expect(JSON.stringify(compare(vm(), after, context))).not.toMatch(leaks);
  });

  test.each([
    ['lists below a key that names a secret', 'chpasswd:\n  list: |\n    root:hunter2\n  expire: false\nruncmd: []\n'],
    [
      'keys in PEM',
      'ssh_keys:\n  rsa: |\n    -----BEGIN RSA PRIVATE KEY-----\n    hunter2\n    -----END RSA PRIVATE KEY-----\n',
    ],
    ['shell variables', '#!/bin/sh\nDB_PASSWORD=hunter2 start\n'],
    ['answer files', '<AutoLogon>\n  <Password>\n    <Value>hunter2</Value>\n  </Password>\n</AutoLogon>\n'],
    ['one line', 'token: hunter2'],
    ['commands', 'runcmd:\n  - echo root:hunter2 | chpasswd\n  - curl -H "Authorization: token hunter2" https://x\n'],
    ['long lines', `a: ${'token'.repeat(50_000)} hunter2\n`],
    ['flow style', 'users: [{ name: me, plain_text_passwd: hunter2 }]\n'],
  ])('%s are covered', (_, userData) => {
    const to = (text: string) => vm((spec) => (spec.volumes[1].cloudInitNoCloud = { userData: text }));
    for (const [before, after] of [
      [to(userData), to(`${userData}# end\n`)],
      [vm(), to(userData)],
      [to(userData), vm((spec) => spec.volumes.pop())],
      [to(userData), to(userData.replace('hunter2', 'swordfish'))],
    ]) {
      const diff = compare(before, after, context)!;
      expect(JSON.stringify(diff.changes)).not.toMatch(leaks);
      expect(diff.changes.length).toBeGreaterThan(0);
    }
  });

  test('base64 is shown as the text that it is, and covered as well', () => {
    const to = (text: string) => vm((spec) => (spec.volumes[1].cloudInitNoCloud = { userDataBase64: base64(text) }));
    const text = print(to('a: 1\npassword: hunter2\n'), to('a: 2\npassword: hunter2\n'));
    expect(text).toContain('      - a: 1\n      + a: 2\n        password: (hidden)');
  });

  test('variables of containers are reported by their names', () => {
    const to = (value: string): KubeObject =>
      ({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd' },
        spec: {
          template: {
            spec: {
              containers: [
                {
                  name: 'c',
                  env: [
                    { name: 'DB_PASSWORD', value },
                    { name: 'MODE', value },
                  ],
                },
              ],
            },
          },
        },
      }) as KubeObject;
    expect(print(to('hunter1'), to('hunter2'))).toBe(`~ Deployment d
    spec.template.spec.containers[c].env[DB_PASSWORD].value: (hidden) → (changed)
    spec.template.spec.containers[c].env[MODE].value: hunter1 → hunter2`);
  });

  test('names of Secrets are shown', () => {
    const to = (name: string) => vm((spec) => (spec.volumes[1].cloudInitNoCloud = { secretRef: { name } }));
    expect(print(to('one'), to('two'))).toContain('secretRef.name: one → two');
  });
});

test('prints no control characters of a terminal', () => {
  const evil = vm((spec) => {
    spec.volumes[0].containerDisk.image = 'a\u001b[31m\u009b';
    spec.volumes[1].cloudInitNoCloud.userData = 'a\n\u001b]0;x\u0007\r\n';
  });
  expect(print(vm(), evil)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

describe('what apply leaves of a live object', () => {
  const live = (spec: object, metadata: object = {}): KubeObject =>
    ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's', ...metadata }, spec }) as KubeObject;

  test('keeps fields of others, and removes fields that are no longer applied', () => {
    const before = { spec: { type: 'ClusterIP', sessionAffinity: 'None' } };
    const note = { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(before) } };
    const now = applied(
      live({ type: 'ClusterIP' }),
      live({ type: 'ClusterIP', sessionAffinity: 'None', clusterIP: '10.0.0.1' }, note),
    );
    expect(now).toMatchObject({ spec: { type: 'ClusterIP', clusterIP: '10.0.0.1' } });
    expect(now).not.toHaveProperty('spec.sessionAffinity');
  });

  test('server-side apply remembers its fields', () => {
    const managedFields = [
      { operation: 'Apply', manager: 'kubectl', fieldsV1: { 'f:spec': { 'f:type': {}, 'f:sessionAffinity': {} } } },
      { operation: 'Update', manager: 'other', fieldsV1: { 'f:spec': { 'f:clusterIP': {} } } },
    ];
    const now = applied(
      live({ type: 'ClusterIP' }),
      live({ type: 'x', sessionAffinity: 'None', clusterIP: 'y' }, { managedFields }),
    );
    expect((now as Any).spec).toEqual({ type: 'ClusterIP', clusterIP: 'y' });
  });

  test("items of Kubernetes' own lists keep their defaults; those of custom resources are replaced", () => {
    const now = applied(
      live({ ports: [{ port: 80 }, { port: 443 }] }),
      live({
        ports: [
          { port: 443, protocol: 'TCP' },
          { port: 80, protocol: 'TCP' },
        ],
      }),
    );
    expect((now as Any).spec.ports).toEqual([
      { port: 80, protocol: 'TCP' },
      { port: 443, protocol: 'TCP' },
    ]);
    const stored = vm((spec) => (spec.volumes[0].containerDisk.imagePullPolicy = 'Always'));
    expect((applied(vm(), stored) as Any).spec.template.spec.volumes[0].containerDisk).not.toHaveProperty(
      'imagePullPolicy',
    );
  });
});

test('the summary counts', () => {
  const changed = compare(
    vm(),
    vm((spec) => (spec.domain.memory.guest = '4Gi')),
    context,
  )!;
  const created = compare(undefined, vm(), context)!;
  const gone = compare(vm(), undefined, context)!;
  expect(formatSummary([changed, created, gone], 4)).toBe(
    '1 created, 1 changed, 1 deleted, 2 the same; 1 needs a migration',
  );
  expect(formatSummary([], 0)).toBe('nothing to compare');
});
