/** Renders a Pod with the importer's image. Pure. */
import { IMPORT_VARIABLE, METRICS_PORT, type ImportRequest } from '../../../../api/cdi/import-request';
import { controllerRef } from '../../../../api/owner';
import type { KubeObject } from '../../../../api';
import type { Container, Pod, PodVolume, VolumeMount } from '../../pod';
import { unprivileged, workerPodSecurity } from '../../pod/security';
import { WORK_LABELS } from '../types';

/** Settings of the platform (CDIConfig), and the image. */
export interface ImportSettings {
  readonly image: string;
  readonly pullPolicy?: string;
  /** Part of a file system of the claim's class that is not available for the disk. */
  readonly overhead: number;
  readonly resources?: Container['resources'];
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
  readonly proxy?: Readonly<Record<string, string>>;
  /** Authorities of the proxy, in PEM. */
  readonly authorities?: string;
  /** `HOST:PORT` of registries whose certificate is not verified, or that speak HTTP. */
  readonly insecureRegistries?: readonly string[];
  /** Whether nodes mount images as volumes. */
  readonly mountsImages?: boolean;
  /** Authority of the upload proxy's client certificate, in PEM. */
  readonly uploadAuthority?: string;
}

/**
 * CDI's defaults, but for the limit of CPU: CDI's 750m slow imports down while the node is idle (docs/compatibility.md). On a
 * busy node the request decides. A limit is needed where a quota counts limits.
 */
const RESOURCES = { requests: { cpu: '100m', memory: '60M' }, limits: { cpu: '2', memory: '600M' } };

export interface WorkerPodInput {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Object in the same namespace with which the Pod ends. */
  readonly owner?: Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>;
  readonly priorityClassName?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly serviceAccountName?: string;
  readonly request: ImportRequest;
  readonly settings: ImportSettings;
  readonly devices?: readonly { readonly name: string; readonly devicePath: string }[];
  readonly mounts: readonly VolumeMount[];
  readonly volumes: readonly PodVolume[];
}

/** Pod of user 107 without capabilities and API token, which starts again until it succeeds. */
export function workerPod(input: WorkerPodInput): Pod {
  const { name, namespace, owner, request, settings, devices = [] } = input;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      labels: { ...WORK_LABELS, 'cdi.kubevirt.io': 'importer', 'prometheus.cdi.kubevirt.io': 'true' },
      annotations: { ...input.annotations },
      ownerReferences: owner ? [controllerRef(owner)] : [],
    },
    spec: {
      restartPolicy: 'OnFailure',
      automountServiceAccountToken: false,
      ...(input.serviceAccountName && { serviceAccountName: input.serviceAccountName }),
      enableServiceLinks: false,
      ...(input.nodeSelector && { nodeSelector: input.nodeSelector }),
      terminationGracePeriodSeconds: 5,
      securityContext: workerPodSecurity,
      ...(input.priorityClassName && { priorityClassName: input.priorityClassName }),
      ...(settings.imagePullSecrets?.length && {
        imagePullSecrets: settings.imagePullSecrets.map((secret) => ({ name: secret.name ?? '' })),
      }),
      containers: [
        {
          name: 'importer',
          image: settings.image,
          imagePullPolicy: settings.pullPolicy ?? 'IfNotPresent',
          env: [
            { name: IMPORT_VARIABLE, value: JSON.stringify(request) },
            ...Object.entries(settings.proxy ?? {}).map(([key, value]) => ({ name: key, value })),
          ],
          ports: [{ name: 'metrics', containerPort: METRICS_PORT, protocol: 'TCP' }],
          resources: settings.resources ?? RESOURCES,
          securityContext: unprivileged,
          ...(devices.length && { volumeDevices: [...devices] }),
          volumeMounts: [...input.mounts],
        },
      ],
      volumes: [...input.volumes],
    },
  };
}
