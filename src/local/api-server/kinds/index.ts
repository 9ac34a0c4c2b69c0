import { Kind } from '../registry/kind';
import { customResourceDefinition } from './custom-resource-definition';
import { define } from './define';

/** Every built-in kind that the server stores. */
export function builtinKinds(): Kind[] {
  const of = (group: string, kind: string, plural: string, more = {}) =>
    define({ group, version: 'v1', kind, plural, namespaced: true, ...more });
  const core = (kind: string, plural: string, more = {}) => of('', kind, plural, more);
  const cluster = { namespaced: false };
  return [
    core('Namespace', 'namespaces', { namespaced: false, shortNames: ['ns'], status: true }),
    core('Pod', 'pods', { shortNames: ['po'], categories: ['all'], status: true, returnsDeleted: true }),
    core('Service', 'services', { shortNames: ['svc'], categories: ['all'], status: true, returnsDeleted: true }),
    core('ConfigMap', 'configmaps', { shortNames: ['cm'] }),
    core('Secret', 'secrets'),
    core('ServiceAccount', 'serviceaccounts', { shortNames: ['sa'], returnsDeleted: true }),
    core('Event', 'events', { shortNames: ['ev'] }),
    core('Node', 'nodes', { ...cluster, shortNames: ['no'], status: true }),
    core('PersistentVolumeClaim', 'persistentvolumeclaims', {
      shortNames: ['pvc'],
      status: true,
      returnsDeleted: true,
    }),
    core('PersistentVolume', 'persistentvolumes', {
      ...cluster,
      shortNames: ['pv'],
      status: true,
      returnsDeleted: true,
    }),
    core('Endpoints', 'endpoints', { shortNames: ['ep'] }),
    customResourceDefinition,
    of('apps', 'ControllerRevision', 'controllerrevisions'),
    of('coordination.k8s.io', 'Lease', 'leases'),
    of('discovery.k8s.io', 'EndpointSlice', 'endpointslices'),
    of('rbac.authorization.k8s.io', 'Role', 'roles'),
    of('rbac.authorization.k8s.io', 'RoleBinding', 'rolebindings'),
    of('rbac.authorization.k8s.io', 'ClusterRole', 'clusterroles', cluster),
    of('rbac.authorization.k8s.io', 'ClusterRoleBinding', 'clusterrolebindings', cluster),
    of('storage.k8s.io', 'StorageClass', 'storageclasses', { ...cluster, shortNames: ['sc'] }),
    of('scheduling.k8s.io', 'PriorityClass', 'priorityclasses', { ...cluster, shortNames: ['pc'] }),
    of('policy', 'PodDisruptionBudget', 'poddisruptionbudgets', { shortNames: ['pdb'], status: true }),
    of('apiregistration.k8s.io', 'APIService', 'apiservices', { ...cluster, status: true }),
    of('admissionregistration.k8s.io', 'ValidatingWebhookConfiguration', 'validatingwebhookconfigurations', cluster),
    of('admissionregistration.k8s.io', 'MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', cluster),
  ];
}
