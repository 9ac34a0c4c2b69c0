/**
 * A `containerPath` volume shares a directory that other webhooks mount into the compute container, such as the token of
 * a cloud. The containers that serve it are therefore added by a webhook, after the others.
 */
import type { ClusterConfig } from '../cluster-config';
import { RUNTIME_USER } from '../constants';
import type { VirtualMachineInstance } from '../generated/kubevirt-v1';
import type { KubeObject } from '../meta';
import { compareQuantities, tryParseQuantity } from '../quantity';

interface Mount {
  name: string;
  mountPath: string;
  subPath?: string;
  readOnly?: boolean;
}

interface Container {
  name: string;
  image?: string;
  volumeMounts?: Mount[];
}

interface Volume extends Record<string, unknown> {
  name: string;
  projected?: { sources?: { serviceAccountToken?: object }[] };
}

/** Fields of a Pod that are read here. */
export interface PodLike extends KubeObject {
  spec: { containers: Container[]; volumes?: Volume[] };
  status?: { phase?: string };
}

/** Volume sources without links that lead out of the volume. */
const SAFE_SOURCES = ['configMap', 'secret', 'projected', 'downwardAPI', 'emptyDir'];
const SOCKETS = { name: 'virtiofs-containers', mountPath: '/var/run/kubevirt/virtiofs-containers' };

/** Whether it is the Pod of a VMI. */
export const isLauncherPod = ({ metadata }: KubeObject): boolean =>
  metadata.labels?.['kubevirt.io'] === 'virt-launcher';

/** Returns the owner reference to the VMI of a launcher Pod; undefined without one. */
export function instanceNameOf(pod: KubeObject): string | undefined {
  if (!isLauncherPod(pod)) return undefined;
  return pod.metadata.ownerReferences?.find(
    ({ apiVersion, kind }) => apiVersion === 'kubevirt.io/v1' && kind === 'VirtualMachineInstance',
  )?.name;
}

/** Returns the Pod with a container for each shared path that has none yet. Paths that cannot be shared get none. */
export function withSharedPaths<T extends PodLike>(pod: T, vmi: VirtualMachineInstance, config: ClusterConfig): T {
  const compute = pod.spec.containers.find(({ name }) => name === 'compute');
  const shared = new Set(
    (vmi.spec.domain.devices?.filesystems ?? []).filter(({ virtiofs }) => virtiofs).map(({ name }) => name),
  );
  const there = new Set(pod.spec.containers.map(({ name }) => name));
  const added = (vmi.spec.volumes ?? []).flatMap(({ name, containerPath }) => {
    if (!compute || !containerPath?.readOnly || !shared.has(name) || there.has(`virtiofs-${name}`)) return [];
    const mount = mountOf(compute, containerPath.path);
    const volume = mount && pod.spec.volumes?.find((each) => each.name === mount.name);
    if (!mount || !volume || !SAFE_SOURCES.some((source) => volume[source])) return [];
    return [
      server(name, compute.image, { ...mount, mountPath: `/virtiofs-data/${name}` }, hasToken(volume), vmi, config),
    ];
  });
  if (added.length === 0) return pod;
  return { ...pod, spec: { ...pod.spec, containers: [...pod.spec.containers, ...added] } };
}

/** Returns the innermost mount of a path, and the path below it. */
function mountOf({ volumeMounts = [] }: Container, path: string): Mount | undefined {
  const exact = volumeMounts.find(({ mountPath }) => mountPath === path);
  if (exact) return { name: exact.name, mountPath: path };
  const [innermost] = volumeMounts
    .filter(({ mountPath }) => path.startsWith(`${mountPath}/`))
    .sort((a, b) => b.mountPath.length - a.mountPath.length);
  if (!innermost) return undefined;
  return { name: innermost.name, mountPath: path, subPath: path.slice(innermost.mountPath.length + 1) };
}

/** Whether the volume has tokens, whose links belong to the Pod's user: the guest's root may follow them only as that user. */
const hasToken = ({ projected }: Volume): boolean =>
  projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken) ?? false;

function server(
  name: string,
  image: string | undefined,
  { subPath, ...mount }: Mount,
  translateUser: boolean,
  vmi: VirtualMachineInstance,
  config: ClusterConfig,
): Container {
  const container = {
    name: `virtiofs-${name}`,
    image,
    imagePullPolicy: 'IfNotPresent',
    command: ['/usr/libexec/virtiofsd'],
    args: [
      `--socket-path=${SOCKETS.mountPath}/${name}.sock`,
      `--shared-dir=${mount.mountPath}`,
      '--sandbox=none',
      '--cache=auto',
      '--migration-on-error=guest-error',
      '--migration-mode=find-paths',
      ...(translateUser ? [`--translate-uid=host:${RUNTIME_USER}:0:1`] : []),
    ],
    volumeMounts: [SOCKETS, { ...mount, ...(subPath && { subPath }), readOnly: true }],
    resources: resourcesOf(vmi, config),
    securityContext: {
      runAsUser: RUNTIME_USER,
      runAsGroup: RUNTIME_USER,
      runAsNonRoot: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    },
  };
  return container;
}

type Amounts = Record<string, number | string | undefined>;

/** Returns the resources of one virtiofsd; guaranteed when those of the guest's Pod are. */
function resourcesOf({ spec: { domain } }: VirtualMachineInstance, { raw }: ClusterConfig): object {
  const own = raw.supportContainerResources?.find(({ type }) => type === 'virtiofs')?.resources;
  const amount = (from: Amounts | undefined, name: string, byDefault: string): number | string => {
    const given = from?.[name];
    return given !== undefined && tryParseQuantity(given) && compareQuantities(given, 0) !== 0 ? given : byDefault;
  };
  const limits = { cpu: amount(own?.limits, 'cpu', '100m'), memory: amount(own?.limits, 'memory', '80M') };
  const guaranteed = domain.cpu?.dedicatedCpuPlacement === true || isGuaranteed(domain.resources ?? {});
  const requests = guaranteed
    ? limits
    : { cpu: amount(own?.requests, 'cpu', '10m'), memory: amount(own?.requests, 'memory', '1M') };
  return { requests: { ...requests }, limits };
}

/** Whether requests and limits are the same for CPU and memory. */
function isGuaranteed({ requests, limits }: { requests?: Amounts; limits?: Amounts }): boolean {
  const [cpu, memory] = ['cpu', 'memory'].map((name) => [requests?.[name] ?? 0, limits?.[name] ?? 0] as const);
  const same = ([request, limit]: readonly [unknown, unknown]): boolean =>
    compareQuantities(request, 0) !== 0 && compareQuantities(request, limit) === 0;
  const memoryWants = same(memory) || (compareQuantities(memory[0], 0) === 0 && compareQuantities(memory[1], 0) !== 0);
  return memoryWants && same(cpu);
}
