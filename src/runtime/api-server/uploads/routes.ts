import { kinds } from '../../../api/kinds/registry';

/** Aggregated API of upload tokens. */
export const UPLOAD_GROUP = kinds.UploadTokenRequest.group;
/** Versions of the group, preferred first. CDI serves the same object in both. */
export const UPLOAD_VERSIONS: readonly string[] = ['v1beta1', 'v1alpha1'];
export const TOKEN_REQUESTS = kinds.UploadTokenRequest.plural;

const versions = UPLOAD_VERSIONS.map((version) => ({ groupVersion: `${UPLOAD_GROUP}/${version}`, version }));

/** `/apis/upload.cdi.kubevirt.io` */
export const uploadGroup = {
  apiVersion: 'v1',
  kind: 'APIGroup',
  name: UPLOAD_GROUP,
  versions,
  preferredVersion: versions[0],
};

/** `/apis/upload.cdi.kubevirt.io/{version}` */
export const uploadResourceList = (version: string) => ({
  apiVersion: 'v1',
  kind: 'APIResourceList',
  groupVersion: `${UPLOAD_GROUP}/${version}`,
  resources: [
    {
      name: TOKEN_REQUESTS,
      singularName: kinds.UploadTokenRequest.singular,
      namespaced: true,
      kind: kinds.UploadTokenRequest.kind,
      verbs: ['create'],
      shortNames: kinds.UploadTokenRequest.shortNames,
    },
  ],
});
