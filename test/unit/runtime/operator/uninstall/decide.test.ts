import { installedKinds } from '../../../../../src/api/install/kinds';
import { decideRemoval, type Left, type Remains } from '../../../../../src/runtime/operator/uninstall/decide';

const left = (kind: string, metadata: object = {}): Left => ({
  kind,
  object: { apiVersion: 'v1', kind, metadata: { name: 'a', ...metadata } },
});
const everything = Object.keys(installedKinds).map((kind) => left(kind));
const remains = (parts: Partial<Remains> = {}): Remains => ({
  ...{ workloads: [], mayDeleteWorkloads: true, objects: [], pods: [] },
  ...parts,
});
const kinds = (list: readonly Left[]): string[] => list.map(({ kind }) => kind).sort();

test('everything is removed step by step, except definitions', () => {
  const steps: string[][] = [];
  let objects = everything;
  for (;;) {
    const { delete: gone, left: names } = decideRemoval(remains({ objects }));
    if (names.length === 0) break;
    steps.push(kinds(gone));
    objects = objects.filter((each) => !gone.includes(each));
  }
  expect(steps).toEqual([
    ['APIService', 'MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
    ['DaemonSet', 'Deployment', 'PodDisruptionBudget', 'Service'],
    ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
    ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding', 'ServiceAccount'],
    ['ConfigMap', 'Secret'],
  ]);
  expect(kinds(objects)).toEqual(['CustomResourceDefinition']);
});

describe('guests', () => {
  const workloads = [left('VirtualMachine', { namespace: 'default' })];

  test('end before anything else is removed', () => {
    expect(decideRemoval(remains({ workloads, objects: everything, pods: ['virt-api-1'] }))).toEqual({
      delete: workloads,
      left: ['VirtualMachine default/a'],
    });
  });

  test('are left to the user if the strategy requires it, and nothing else is removed', () => {
    expect(decideRemoval(remains({ workloads, mayDeleteWorkloads: false, objects: everything }))).toEqual({
      delete: [],
      left: ['VirtualMachine default/a'],
    });
  });
});

describe('a step', () => {
  test('waits for objects that are being deleted, and deletes them once', () => {
    const leaving = left('Deployment', { deletionTimestamp: '2026-01-01T00:00:00Z', namespace: 'kubevirt' });
    const objects = [leaving, left('Service'), left('Role')];
    expect(decideRemoval(remains({ objects }))).toEqual({
      delete: [objects[1]],
      left: ['Deployment kubevirt/a', 'Service a'],
    });
  });

  test('waits for Pods, which need their permissions to end', () => {
    const objects = [left('Role'), left('Secret')];
    expect(decideRemoval(remains({ objects, pods: ['virt-handler-1'] }))).toEqual({
      delete: [],
      left: ['Pod virt-handler-1'],
    });
    expect(decideRemoval(remains({ objects })).delete).toEqual([objects[0]]);
  });

  test('does not wait for Pods before their programs are deleted', () => {
    const objects = [left('DaemonSet')];
    expect(decideRemoval(remains({ objects, pods: ['virt-handler-1'] })).delete).toEqual(objects);
  });
});

test('nothing is left in the end', () => expect(decideRemoval(remains())).toEqual({ delete: [], left: [] }));
