import { Lazy } from 'cdk8s';
import { operatorSecrets } from '../../api/install/certificates';
import { installStrategy, operatorConfigMaps } from '../../api/install/strategy';
import { UPLOAD_PROXY_SERVICE } from '../../api/cdi/upload';
import type { PlatformImages } from './images';
import type { Mount, PodParts } from './pods';
import type { PlatformPlacement } from './placement';
import type { ControllerThreads, PlatformSize } from './size';

/** Settings that all components share. virt-operator adds those of the KubeVirt object. */
export interface Installation {
  readonly namespace: string;
  readonly images: PlatformImages;
  readonly size: PlatformSize;
}

/** Settings of virt-operator. */
export interface OperatorInstallation extends Installation {
  readonly infra?: PlatformPlacement;
  readonly issuesCertificates: boolean;
  readonly importer: boolean;
  /** Returns the hash of the objects that it installs. */
  readonly strategyHash: () => string;
}

/** Directories of nodes that virt-handler uses. */
export interface NodeDirectories {
  readonly kubelet: string;
  readonly runtimes: readonly string[];
}

type Pod = Omit<PodParts, 'serviceAccount'>;

/** Label of Pods that Prometheus scrapes. */
export const METRICS_LABEL = { 'prometheus.kubevirt.io': 'true' } as const;
const HEALTH_PORT = 8443;
const API_PORT = 8443;
/** Plain HTTP: Prometheus needs no certificate, and metrics contain no secrets. */
const METRICS_PORT = 8187;
const HANDLER_PORT = 8186;
const UPLOAD_PROXY_PORT = 8443;
const CERTIFICATE = ['tls.crt', 'tls.key'];
const CERTIFICATE_AND_AUTHORITY = [...CERTIFICATE, 'ca.crt'];
/** Readable by the group of the Pod's volumes. */
const SECRET_MODE = 0o440;
/** Folder with the description of the node, from which virt-handler derives its labels. */
const CAPABILITIES = '/var/lib/kubevirt-node-labeller';

/** Address at which virt-api finds virt-handler, of either IP family. */
const POD_IP = { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } };

/** Mounts keys of a Secret. The Pod waits until the keys exist: starting without them would only fail. */
function secret(name: string, path: string, secretName: string, keys: readonly string[]): Mount {
  const items = keys.map((key) => ({ key, path: key }));
  return { name, path, readOnly: true, source: { secret: { secretName, defaultMode: SECRET_MODE, items } } };
}

const http = (scheme: 'HTTP' | 'HTTPS', port: number, path = '/healthz'): object => ({
  httpGet: { path, port, scheme },
});

/**
 * Returns probes: ready as soon as the program answers, unless another readiness probe is given; restarted if it does
 * not answer for a minute.
 */
const healthy = (live: object, ready = live): PodParts['probes'] => ({
  readinessProbe: { ...ready, periodSeconds: 5, timeoutSeconds: 3 },
  livenessProbe: { ...live, initialDelaySeconds: 15, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
});

/** virt-api validates and defaults objects, and serves the subresources. All of its Pods are active. */
export function virtApiPod({ namespace, images, size }: Installation, callers?: readonly string[]): Pod {
  const certificate = '/etc/virt-api/certificates';
  const handler = '/etc/virt-api/handler-client';
  const requestHeader = '/etc/virt-api/request-header';
  return {
    name: 'virt-api',
    image: images.virtApi,
    size: size.virtApi,
    labels: METRICS_LABEL,
    args: [
      `--namespace=${namespace}`,
      `--port=${API_PORT}`,
      `--metrics-port=${METRICS_PORT}`,
      `--tls-cert-file=${certificate}/tls.crt`,
      `--tls-key-file=${certificate}/tls.key`,
      `--requestheader-client-ca-file=${requestHeader}/client-ca.crt`,
      `--requestheader-allowed-names-file=${requestHeader}/allowed-names`,
      `--handler-ca-file=${handler}/ca.crt`,
      `--handler-client-cert-file=${handler}/tls.crt`,
      `--handler-client-key-file=${handler}/tls.key`,
      ...(callers ? [`--webhook-allowed-names=${callers.join(',')}`] : []),
    ],
    ports: [
      { name: 'https', containerPort: API_PORT },
      { name: 'metrics', containerPort: METRICS_PORT },
    ],
    // not ready until it knows the configuration: before that it would reject every request
    probes: healthy(http('HTTPS', API_PORT), http('HTTPS', API_PORT, '/readyz')),
    // keeps serving until the API server knows that this Pod is terminating
    lifecycle: { preStop: { sleep: { seconds: 5 } } },
    mounts: [
      secret('certificates', certificate, operatorSecrets.virtApi, CERTIFICATE),
      secret('handler-client', handler, operatorSecrets.handlerClient, CERTIFICATE_AND_AUTHORITY),
      {
        name: 'request-header',
        path: requestHeader,
        readOnly: true,
        source: {
          configMap: {
            name: operatorConfigMaps.requestHeader,
            items: ['client-ca.crt', 'allowed-names'].map((key) => ({ key, path: key })),
          },
        },
      },
    ],
  };
}

/** virt-controller creates instances and launchers. One Pod is the leader; the others wait to take over. */
export function virtControllerPod(
  { namespace, images, size }: Installation,
  importer: boolean,
  { virtualMachines, instances, nodes }: ControllerThreads = {},
): Pod {
  const authority = '/etc/virt-controller/api-authority';
  const threads = Object.entries({ vm: virtualMachines, vmi: instances, node: nodes });
  return {
    name: 'virt-controller',
    image: images.virtController,
    size: size.virtController,
    labels: METRICS_LABEL,
    args: [
      `--namespace=${namespace}`,
      `--launcher-image=${images.virtLauncher}`,
      ...(importer
        ? [
            `--importer-image=${images.virtImporter}`,
            `--api-authority-file=${authority}/ca.crt`,
            `--upload-proxy-url=https://${UPLOAD_PROXY_SERVICE}.${namespace}.svc`,
          ]
        : []),
      `--port=${HEALTH_PORT}`,
      ...threads.flatMap(([kind, count]) => (count === undefined ? [] : [`--${kind}-controller-threads=${count}`])),
    ],
    ports: [{ name: 'metrics', containerPort: HEALTH_PORT }],
    // not /readyz: a Pod that waits for the lease would never be ready, and no rollout would finish
    probes: healthy(http('HTTP', HEALTH_PORT)),
    mounts: importer ? [secret('api-authority', authority, operatorSecrets.virtApi, ['ca.crt'])] : [],
  };
}

/** The upload proxy passes disk images of clients to the Pods of their claims. All of its Pods are active. */
export function uploadProxyPod({ namespace, images, size }: Installation): Pod {
  const certificate = '/etc/upload-proxy/certificates';
  const client = '/etc/upload-proxy/upload-server-client';
  return {
    name: UPLOAD_PROXY_SERVICE,
    image: images.uploadProxy,
    size: size.uploadProxy,
    args: [
      `--namespace=${namespace}`,
      `--port=${UPLOAD_PROXY_PORT}`,
      `--tls-cert-file=${certificate}/tls.crt`,
      `--tls-key-file=${certificate}/tls.key`,
      `--api-authority-file=${certificate}/ca.crt`,
      `--client-cert-file=${client}/tls.crt`,
      `--client-key-file=${client}/tls.key`,
    ],
    ports: [{ name: 'https', containerPort: UPLOAD_PROXY_PORT }],
    probes: healthy(http('HTTPS', UPLOAD_PROXY_PORT)),
    mounts: [
      secret('certificates', certificate, operatorSecrets.uploadProxy, CERTIFICATE_AND_AUTHORITY),
      secret('upload-server-client', client, operatorSecrets.uploadClient, CERTIFICATE),
    ],
  };
}

/** virt-operator installs the other programs, and manages certificates and the status of the installation. */
export function virtOperatorPod(installation: OperatorInstallation): Pod {
  const { namespace, images, size, infra, issuesCertificates, importer, strategyHash } = installation;
  const strategy = '/etc/virt-operator/install-strategy';
  return {
    name: 'virt-operator',
    image: images.virtOperator,
    pull: images,
    size: size.virtOperator,
    placement: infra,
    args: [
      `--namespace=${namespace}`,
      `--registry=${images.registry}`,
      `--strategy-dir=${strategy}`,
      // when the manifest is written: until then, the objects may still be changed
      Lazy.any({ produce: () => `--strategy-hash=${strategyHash()}` }) as unknown as string,
      `--issue-certificates=${issuesCertificates}`,
      `--importer=${importer}`,
      `--port=${HEALTH_PORT}`,
    ],
    ports: [{ name: 'metrics', containerPort: HEALTH_PORT }],
    labels: METRICS_LABEL,
    probes: healthy(http('HTTP', HEALTH_PORT)),
    mounts: [
      { name: 'strategy', path: strategy, readOnly: true, source: { configMap: { name: installStrategy.configMap } } },
    ],
  };
}

/**
 * virt-handler is the agent of a node. It enters the namespaces of launchers, mounts disks into their volumes and opens
 * the node's devices, for which it must be privileged. Its file system is read-only, and it does not use the host
 * network.
 */
export function virtHandlerPod({ namespace, images, size }: Installation, node: NodeDirectories): Pod {
  const certificate = '/etc/virt-handler/certificates';
  const host = (path: string, type: string): Mount['source'] => ({ hostPath: { path, type } });
  return {
    name: 'virt-handler',
    privileged: true,
    image: images.virtHandler,
    size: size.virtHandler,
    labels: METRICS_LABEL,
    args: [
      `--namespace=${namespace}`,
      '--node-name=$(NODE_NAME)',
      '--bind=$(POD_IP)',
      '--advertise=$(POD_IP)',
      `--port=${HANDLER_PORT}`,
      `--metrics-port=${METRICS_PORT}`,
      `--kubelet-dir=${node.kubelet}`,
      `--capabilities-file=${CAPABILITIES}/capabilities.json`,
      `--tls-cert-file=${certificate}/tls.crt`,
      `--tls-key-file=${certificate}/tls.key`,
      `--client-ca-file=${certificate}/ca.crt`,
    ],
    env: [{ name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }, POD_IP],
    ports: [
      { name: 'https', containerPort: HANDLER_PORT },
      { name: 'metrics', containerPort: METRICS_PORT },
    ],
    // a TCP probe: virt-handler requires a client certificate, which the kubelet cannot present
    probes: healthy({ tcpSocket: { port: HANDLER_PORT } }),
    initContainers: [nodeCapabilities(images)],
    mounts: [
      secret('certificates', certificate, operatorSecrets.handlerServer, CERTIFICATE_AND_AUTHORITY),
      // sockets and volumes of launchers, and the directory of device plugins; launchers must see what is mounted here
      { name: 'kubelet', path: node.kubelet, propagation: 'Bidirectional', source: host(node.kubelet, 'Directory') },
      // disks of volumes that are directories of the node: the kubelet does not mount these, and a disk can only be attached
      // from a file system that is mounted here
      { name: 'host', path: '/host', propagation: 'HostToContainer', source: host('/', 'Directory') },
      // which devices a launcher may open; a container sees only its own cgroup
      { name: 'cgroup', path: '/sys/fs/cgroup', source: host('/sys/fs/cgroup', 'Directory') },
      // where container disk images are unpacked, on nodes without image volumes
      ...node.runtimes.map((path, i): Mount => ({
        name: `runtime-${i}`,
        path,
        readOnly: true,
        propagation: 'HostToContainer',
        source: host(path, 'DirectoryOrCreate'),
      })),
      { name: 'tmp', path: '/tmp', source: { emptyDir: { sizeLimit: '64Mi' } } },
      { name: 'capabilities', path: CAPABILITIES, source: { emptyDir: { sizeLimit: '64Mi' } } },
    ],
  };
}

/**
 * Asks the libvirt and the QEMU of launchers what guests can have on this node. Privileged, because the answer depends on
 * the device of KVM; libvirt and QEMU themselves run as the user of launchers.
 */
function nodeCapabilities(images: PlatformImages): { [field: string]: unknown } {
  return {
    name: 'node-capabilities',
    image: images.virtLauncher,
    command: ['/usr/bin/virt-node-capabilities'],
    args: ['--to', `${CAPABILITIES}/capabilities.json`],
    securityContext: { privileged: true, readOnlyRootFilesystem: true, runAsUser: 0 },
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [{ name: 'capabilities', mountPath: CAPABILITIES }],
  };
}
