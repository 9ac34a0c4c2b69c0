import type { KubeObject, OwnerReference } from './meta';

/** Reference to the object that creates and deletes another one. */
export const controllerRef = ({
  apiVersion = '',
  kind = '',
  metadata: { name = '', uid = '' },
}: Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});
