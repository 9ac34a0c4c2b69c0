/** The Pod of an upload server: that of an importer, with a certificate of its own. Pure. */
import { IMPORT_VARIABLE, importerPaths, type ImportRequest } from '../../../../api/cdi/import-request';
import { UPLOAD_PORT } from '../../../../api/cdi/upload';
import type { Pod } from '../../pod';

const IDENTITY = 'identity';
const REQUEST: ImportRequest = {
  source: { kind: 'identity' },
  contentType: 'kubevirt',
  claimBytes: 0,
  overhead: 0,
  isPreallocated: false,
  owner: '',
};

/**
 * Adds an init container that makes the key of the server, whose certificate the status of the Pod then reports, and a probe: the
 * Pod is ready when the server listens.
 */
export function asUploadPod(pod: Pod): Pod {
  const [container] = pod.spec.containers;
  const mount = { name: IDENTITY, mountPath: importerPaths.identity };
  const { image, imagePullPolicy, securityContext, resources } = container!;
  return {
    ...pod,
    metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, 'cdi.kubevirt.io': 'cdi-upload-server' } },
    spec: {
      ...pod.spec,
      initContainers: [
        {
          name: IDENTITY,
          ...{ image, imagePullPolicy, securityContext, resources },
          env: [{ name: IMPORT_VARIABLE, value: JSON.stringify(REQUEST) }],
          volumeMounts: [mount],
        },
      ],
      containers: [
        {
          ...container!,
          ports: [...(container!.ports ?? []), { name: 'upload', containerPort: UPLOAD_PORT, protocol: 'TCP' }],
          // the server asks for a client certificate, which the kubelet does not have
          readinessProbe: { tcpSocket: { port: UPLOAD_PORT }, periodSeconds: 2 },
          volumeMounts: [...(container!.volumeMounts ?? []), mount],
        },
      ],
      volumes: [...(pod.spec.volumes ?? []), { name: IDENTITY, emptyDir: { medium: 'Memory', sizeLimit: '4Mi' } }],
    },
  };
}
