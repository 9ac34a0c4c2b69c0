import { controllerRevision } from '../../../../../src/local/api-server/kinds/apps/controller-revision';
import { apiService } from '../../../../../src/local/api-server/kinds/extensions';
import { daemonSet } from '../../../../../src/local/api-server/kinds/apps/daemon-set';
import { podDisruptionBudget } from '../../../../../src/local/api-server/kinds/policy';
import { rbacKinds } from '../../../../../src/local/api-server/kinds/rbac';
import { webhookKinds } from '../../../../../src/local/api-server/kinds/webhook-configuration';
import { customResourceDefinition } from '../../../../../src/local/api-server/crd/definition/kind';
import type { AnyObject } from '../../../../../src/local/api-server/types';
import { Fields } from '../../../../../src/local/api-server/validation/fields';

const SPEC = {
  group: 'a.example',
  version: 'v1',
  groupPriorityMinimum: 100,
  versionPriority: 10,
  service: { name: 's', namespace: 'n' },
};

describe('APIService', () => {
  const wrong = (change: object, metadata: object = { name: 'v1.a.example' }): string[] => {
    const spec = { ...SPEC, ...change };
    const object = { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata, spec } as AnyObject;
    apiService.decode(object);
    const fields = Fields.root();
    apiService.validate(object, fields);
    return fields.causes.map(({ field, message }) => `${field}: ${message!.split(': ').slice(0, 3).join(': ')}`);
  };
  const dns1035 =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
  const name = 'metadata.name: Invalid value: "v1.a.example": must be `spec.version+"."+spec.group`';

  test.each<[string, object, string[]]>([
    ['accepts a valid object', {}, []],
    ['reports an empty version', { version: '' }, [name, `spec.version: Invalid value: "": ${dns1035}`]],
    ['reports a wrong version', { version: 'V1' }, [name, `spec.version: Invalid value: "V1": ${dns1035}`]],
    ['accepts the core group', { group: '' }, [name]],
    [
      'reports another version of the core group',
      { group: '', version: 'v2' },
      [name, 'spec.group: Required value: only v1 may have an empty group and it better be legacy kube'],
    ],
    [
      'reports an insecure local service',
      { service: null, insecureSkipTLSVerify: true },
      ['spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify'],
    ],
    ['accepts a secure local service', { service: null }, []],
    ['reports a priority of 0', { versionPriority: 0 }, [expect.stringContaining('spec.versionPriority')]],
    ['accepts a priority of 1000', { versionPriority: 1000 }, []],
    ['reports a priority of 1001', { versionPriority: 1001 }, [expect.stringContaining('spec.versionPriority')]],
  ])('%s', (_, change, expected) => expect(wrong(change)).toEqual(expected));

  test.each([
    ['a local one is available at once', null, [{ type: 'Available', status: 'True', reason: 'Local' }]],
    ['another one is not checked yet', SPEC.service, undefined],
  ])('%s', (_, service, conditions) => {
    const object: AnyObject = {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.a.example' },
      spec: { ...SPEC, service },
      status: { a: 1 },
    };
    const context = { user: { username: 'u', groups: [] }, now: '', dryRun: false, warn: () => {} };
    apiService.prepareForCreate(object, context);
    expect(object.status.a).toBeUndefined();
    if (conditions) expect(object.status).toMatchObject({ conditions });
    else expect(object.status).toEqual({});
  });

  test('reports a generated name', () => {
    expect(wrong({}, { generateName: 'g-' })).toEqual([
      'metadata.generateName: Invalid value: "g-": must be `spec.version+"."+spec.group`',
    ]);
  });
});

test.each([...webhookKinds, apiService].map((kind) => [kind.kind, kind] as const))(
  'an update of a %s needs its version',
  (_, kind) => expect(kind.unconditionalUpdate).toBe(false),
);

test('names of budgets are not validated', () => {
  expect(podDisruptionBudget.nameRule('Not Valid_', false)).toEqual([]);
});

test.each([
  ['User', '', 'rbac.authorization.k8s.io'],
  ['Group', '', 'rbac.authorization.k8s.io'],
  ['ServiceAccount', '', ''],
  ['User', 'other', 'other'],
])('a subject of kind %s with group %p has group %p', (kind, apiGroup, expected) => {
  const [, , binding] = rbacKinds;
  const object: AnyObject = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'x' },
    roleRef: { kind: 'Role', name: 'r' },
    subjects: [{ kind, name: 'a', apiGroup }],
  };
  binding.decode(object);
  expect(object.subjects[0].apiGroup ?? '').toBe(expected);
});

test('who creates a DaemonSet owns the number of its templates', () => {
  const object: AnyObject = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'x' }, spec: {} };
  daemonSet.decode(object);
  expect(object.metadata.annotations).toEqual({ 'deprecated.daemonset.template.generation': '0' });
});

test('data of a ControllerRevision has one owner', () => {
  expect(controllerRevision.schema?.fields?.data).toMatchObject({ kind: 'any', atomic: true });
});

test('a version of a definition without a name is reported', () => {
  const crd: AnyObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'samples.a.example' },
    spec: {
      group: 'a.example',
      scope: 'Namespaced',
      names: { plural: 'samples', kind: 'Sample' },
      versions: [{ storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
  customResourceDefinition.decode(crd);
  expect(crd.spec.versions[0]).toMatchObject({ name: '', served: false, storage: true });
  crd.status = { storedVersions: [''] };
  expect(customResourceDefinition.schemaCauses(crd, undefined, '').map(({ field }) => field)).toEqual([
    'spec.versions[0].name',
  ]);
});
