import { identityObjects, userRoleObjects, virtControllerAccess, virtHandlerAccess } from '../../../../src/api/access';

const labels = { 'kubevirt.io': '' };

test('a program with permissions in its namespace and in the cluster has two roles', () => {
  const objects = identityObjects(virtControllerAccess, 'virt', labels);
  expect(Object.keys(objects)).toEqual(['serviceAccount', 'clusterRole', 'clusterRoleBinding', 'role', 'roleBinding']);
  expect(objects.roleBinding).toMatchObject({
    metadata: { name: 'kubevirt-controller', namespace: 'virt', labels },
    roleRef: { kind: 'Role', name: 'kubevirt-controller' },
    subjects: [{ kind: 'ServiceAccount', name: 'kubevirt-controller', namespace: 'virt' }],
  });
  expect(objects.clusterRole!.metadata.namespace).toBeUndefined();
});

test('a program without permissions in the cluster has no ClusterRole', () => {
  const { grants, ...access } = virtHandlerAccess;
  const inside = grants.filter(({ where }) => where === 'installation');
  const objects = identityObjects({ ...access, grants: inside }, 'virt', labels);
  expect(Object.keys(objects)).toEqual(['serviceAccount', 'role', 'roleBinding']);
});

test('the roles of users are aggregated only if this is requested', () => {
  const aggregated = (aggregate: boolean) =>
    userRoleObjects(aggregate, false, labels).flatMap(({ role }) =>
      Object.keys(role.metadata.labels ?? {}).filter((label) => label.includes('aggregate-to')),
    );
  expect(aggregated(true)).toEqual([
    'rbac.authorization.k8s.io/aggregate-to-view',
    'rbac.authorization.k8s.io/aggregate-to-edit',
    'rbac.authorization.k8s.io/aggregate-to-admin',
  ]);
  expect(aggregated(false)).toEqual([]);
});

test('roles of CDI are installed only with the importer', () => {
  const installed = (importer: boolean) =>
    userRoleObjects(true, importer, labels)
      .map(({ role }) => role.metadata.name)
      .filter((name) => name.startsWith('cdi.'));
  expect(installed(true)).toEqual([
    'cdi.kubevirt.io:view',
    'cdi.kubevirt.io:edit',
    'cdi.kubevirt.io:admin',
    'cdi.kubevirt.io:config-reader',
  ]);
  expect(installed(false)).toEqual([]);
});
