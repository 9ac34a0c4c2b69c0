/** Renders the Pod of an exporter. Pure. */
import {
  EXPORT_PORT,
  EXPORT_VARIABLE,
  exporterPaths,
  POD_UID_VARIABLE,
  READY_PATH,
  type ExportRequest,
} from '../../../api/export/export-request';
import { controllerRef } from '../../../api/owner';
import { onNode } from '../pod/affinity';
import type { Pod, PodVolume, VolumeMount } from '../pod';
import { unprivileged, workerPodSecurity } from '../pod/security';
import { EXPORTER_LABEL, exporterName, expirationOf, SERVICE_LABEL, type VirtualMachineExport } from './names';
import { isoTime } from '../instance/phase';
import type { BackupSource, ExportVolume } from './source';

/** KubeVirt's amounts. */
const RESOURCES = { requests: { cpu: '100m', memory: '200Mi' }, limits: { cpu: '1', memory: '1Gi' } };

export interface ExporterPodInput {
  readonly vmExport: VirtualMachineExport;
  readonly volumes: readonly ExportVolume[];
  readonly image: string;
  readonly tokenSecret: string;
  readonly certificateSecret: string;
  /** ConfigMap with manifests, if the source is a VM or a snapshot. */
  readonly manifests?: string;
  readonly backup?: BackupSource;
}

export function exporterPod(input: ExporterPodInput): Pod {
  const { vmExport, volumes, image, tokenSecret, certificateSecret, manifests, backup } = input;
  const { metadata } = vmExport;
  const name = exporterName(vmExport);
  const isDevice = ({ claim }: ExportVolume): boolean => claim.spec.volumeMode === 'Block';
  const pathOf = (volume: ExportVolume, index: number): string =>
    `${isDevice(volume) ? exporterPaths.devices : exporterPaths.volumes}/${index}`;
  const nameOf = (index: number): string => `volume-${index}`;
  const request: ExportRequest = {
    name: metadata.name ?? '',
    deadline: isoTime(expirationOf(vmExport)),
    volumes: volumes.map((volume, index) => ({
      name: volume.claim.metadata.name ?? '',
      uid: volume.claim.metadata.uid ?? '',
      path: pathOf(volume, index),
      isDevice: isDevice(volume),
      content: volume.content,
    })),
    ...(backup && {
      backup: {
        socket: `${exporterPaths.backup}/${backup.socket}`,
        volumes: backup.volumes,
        isIncremental: backup.isIncremental,
      },
    }),
  };
  const own: { volume: PodVolume; mountPath: string }[] = [
    ...(backup === undefined
      ? []
      : [
          {
            volume: { name: 'backup', persistentVolumeClaim: { claimName: backup.claimName, readOnly: true } },
            mountPath: exporterPaths.backup,
          },
        ]),
    {
      volume: { name: 'certificate', secret: { secretName: certificateSecret } },
      mountPath: exporterPaths.certificate,
    },
    { volume: { name: 'token', secret: { secretName: tokenSecret } }, mountPath: exporterPaths.token },
    ...(manifests === undefined
      ? []
      : [{ volume: { name: 'manifests', configMap: { name: manifests } }, mountPath: exporterPaths.manifests }]),
  ];
  const readOnly = (name: string, mountPath: string): VolumeMount => ({ name, mountPath, readOnly: true });
  const devices = volumes.flatMap((volume, index) =>
    isDevice(volume) ? [{ name: nameOf(index), devicePath: pathOf(volume, index) }] : [],
  );
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: metadata.namespace,
      labels: { ...metadata.labels, ...EXPORTER_LABEL, [SERVICE_LABEL]: name },
      annotations: { ...metadata.annotations },
      ownerReferences: [controllerRef(vmExport)],
    },
    spec: {
      // a socket connects only on the node of the launcher
      ...(backup && { affinity: onNode(backup.nodeName) }),
      restartPolicy: 'OnFailure',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 5,
      securityContext: workerPodSecurity,
      containers: [
        {
          name: 'exporter',
          image,
          imagePullPolicy: 'IfNotPresent',
          env: [
            { name: EXPORT_VARIABLE, value: JSON.stringify(request) },
            { name: POD_UID_VARIABLE, valueFrom: { fieldRef: { fieldPath: 'metadata.uid' } } },
          ],
          ports: [{ name: 'export', containerPort: EXPORT_PORT, protocol: 'TCP' }],
          readinessProbe: {
            httpGet: { scheme: 'HTTPS', path: READY_PATH, port: EXPORT_PORT },
            periodSeconds: 2,
            timeoutSeconds: 5,
          },
          resources: RESOURCES,
          securityContext: unprivileged,
          ...(devices.length > 0 && { volumeDevices: devices }),
          volumeMounts: [
            ...volumes.flatMap((volume, index) =>
              isDevice(volume) ? [] : [readOnly(nameOf(index), pathOf(volume, index))],
            ),
            ...own.map(({ volume, mountPath }) => readOnly(volume.name, mountPath)),
          ],
        },
      ],
      volumes: [
        ...volumes.map(({ claim }, index) => ({
          name: nameOf(index),
          persistentVolumeClaim: { claimName: claim.metadata.name ?? '', readOnly: true },
        })),
        ...own.map(({ volume }) => volume),
      ],
    },
  };
}
