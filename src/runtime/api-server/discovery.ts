import { KIND_OF, SUBRESOURCE_GROUP, SUBRESOURCE_VERSIONS, SUBRESOURCES } from './registry';
import { uploadGroup } from './uploads/routes';

const versions = SUBRESOURCE_VERSIONS.map((version) => ({ groupVersion: `${SUBRESOURCE_GROUP}/${version}`, version }));

/** `/apis/subresources.kubevirt.io` */
export const apiGroup = {
  apiVersion: 'v1',
  kind: 'APIGroup',
  name: SUBRESOURCE_GROUP,
  versions,
  preferredVersion: versions[0],
};

/** `/apis` */
export const apiGroupList = { apiVersion: 'v1', kind: 'APIGroupList', groups: [apiGroup, uploadGroup] };

/** `/apis/subresources.kubevirt.io/{version}`: the subresources, by the names that roles grant. */
export const apiResourceList = (version: string) => ({
  apiVersion: 'v1',
  kind: 'APIResourceList',
  groupVersion: `${SUBRESOURCE_GROUP}/${version}`,
  resources: SUBRESOURCES.map(({ owner, name, method }) => ({
    name: name ? `${owner}/${name}` : owner,
    singularName: '',
    namespaced: true,
    kind: KIND_OF[owner],
    verbs: [method === 'PUT' ? 'update' : 'get'],
  })),
});
