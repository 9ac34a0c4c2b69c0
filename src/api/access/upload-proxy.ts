import type { ComponentAccess } from './grant';

/**
 * upload-proxy: passes uploads of clients to the Pods of their claims, and downloads from exporters. Its clients are hostile, so it
 * can only find those Pods.
 */
export const uploadProxyAccess: ComponentAccess = {
  serviceAccount: 'cdi-uploadproxy',
  grants: [
    {
      group: '',
      resources: ['persistentvolumeclaims'],
      verbs: ['get'],
      why: 'the claim of a token, and the Pod that receives its upload',
    },
    { group: '', resources: ['pods'], verbs: ['get'], why: 'address and certificate of an upload server or exporter' },
    { group: '', resources: ['services'], verbs: ['get'], why: 'certificate of an exporter' },
  ],
};
