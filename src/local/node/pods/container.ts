import { chmodSync, closeSync, fstatSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Image, ImageStore } from '../../images';
import type { Container, Pod, VolumeMount } from '../../core-v1';
import { attempt, run } from '../../../runtime/host/command';
import { openInRoot } from '../../host/untrusted';
import { milliOf, quantityOf } from '../../quantity';
import { availableCapabilities, capabilitiesOf } from '../runtime/capabilities';
import { ociSpec } from '../runtime/oci-spec';
import type { DeviceRule, OciDevice, OciMount } from '../runtime/oci-spec';
import { seccompOf } from '../runtime/seccomp';
import type { ReadyVolume } from '../volumes/volumes';
import { argumentsOf, ConfigError, environmentOf, expand } from './environment';
import type { PodFacts, Sources } from './environment';
import { accessOf } from './mounts';
import type { NodePaths } from './paths';
import { qosClassOf } from './qos';
import type { Sandbox } from './sandbox';
import { userOf } from './user';

/** Devices, mounts and variables that device plugins allocated to a container. */
export interface GrantedDevices {
  readonly devices: readonly { hostPath: string; containerPath: string; permissions: string }[];
  readonly mounts: readonly { hostPath: string; containerPath: string; readOnly: boolean }[];
  readonly envs: Record<string, string>;
  readonly annotations: Record<string, string>;
}

export interface ContainerInput {
  readonly id: string;
  readonly pod: Pod;
  readonly container: Container;
  readonly attempt: number;
  readonly image: Image;
  readonly sandbox: Sandbox;
  /** PID namespace to join. Default: the Pod's, or a namespace of its own. */
  readonly pidNamespace?: string;
  readonly volumes: ReadonlyMap<string, ReadyVolume>;
  readonly facts: PodFacts;
  readonly sources: Sources;
  readonly services: ReadonlyMap<string, string>;
  readonly granted: GrantedDevices;
  /** `/virt8s-<id>`. */
  readonly cgroupParent: string;
  readonly memoryCapacity: number;
}

export interface Bundle {
  readonly stopSignal: string;
  /** Unmounts mounts that were only needed to create the container. */
  close(): Promise<void>;
}

const TERMINATION_LOG = '/dev/termination-log';
const MAX_PIDS = 32_768;

export const terminationLog = (paths: NodePaths, podUid: string, id: string, name: string): string =>
  join(paths.pod(podUid), 'containers', name, id.slice(0, 12));

/** Writes the OCI bundle of a container: root file system, mounts, config.json. */
export async function writeBundle(input: ContainerInput, paths: NodePaths, images: ImageStore): Promise<Bundle> {
  const { id, pod, container, image } = input;
  const rootfs = paths.container(id, 'rootfs');
  await mountRoot(id, image, paths, images);
  const opened: string[] = [];
  try {
    const user = userOf(pod.spec, container, image.config.User ?? '', rootfs);
    const env = variablesOf(input, user.home);
    const args = argumentsOf(container, image.config, env);
    const context = container.securityContext ?? {};
    const privileged = context.privileged ?? false;
    const capabilities = capabilitiesOf(context.capabilities, privileged, availableCapabilities());
    const devices = devicesOf(input, privileged, user);
    const cwd = container.workingDir || image.config.WorkingDir || '/';
    const mounts = await mountsOf(input, paths, opened, env);
    const seccomp = context.seccompProfile ?? pod.spec.securityContext?.seccompProfile;
    const { limits, requests } = container.resources ?? {};
    const spec = ociSpec({
      rootfs,
      readOnlyRoot: context.readOnlyRootFilesystem ?? false,
      args,
      env: [...env].map(([name, value]) => `${name}=${value}`),
      cwd,
      tty: container.tty ?? false,
      user,
      capabilities,
      noNewPrivileges: context.allowPrivilegeEscalation === false,
      privileged,
      unmaskedProc: context.procMount === 'Unmasked',
      seccomp: privileged ? undefined : seccompOf(seccomp, capabilities, paths.seccomp),
      oomScoreAdj: oomScoreOf(pod, container, input.memoryCapacity),
      openFiles: openFileLimit(),
      cgroupPath: `${input.cgroupParent}/pod${pod.metadata.uid}/${id}`,
      limits: {
        cpuRequest: milliOf(requests?.cpu ?? limits?.cpu),
        cpuLimit: limits?.cpu === undefined ? undefined : milliOf(limits.cpu),
        memoryLimit: limits?.memory === undefined ? undefined : Math.floor(quantityOf(limits.memory)),
        pids: MAX_PIDS,
      },
      ...devices,
      mounts,
      namespaces: { ...input.sandbox.namespaces, pid: input.pidNamespace ?? input.sandbox.namespaces.pid },
      hostPid: pod.spec.hostPID ?? false,
      annotations: {
        'io.kubernetes.pod.uid': pod.metadata.uid ?? '',
        'io.kubernetes.pod.name': pod.metadata.name ?? '',
        'io.kubernetes.pod.namespace': pod.metadata.namespace ?? '',
        'io.kubernetes.container.name': container.name,
        ...input.granted.annotations,
      },
    });
    ensureDirectory(rootfs, cwd);
    await writeFile(paths.container(id, 'config.json'), JSON.stringify(spec), { mode: 0o600 });
    return { stopSignal: image.config.StopSignal ?? 'SIGTERM', close: () => unmountSubPaths(opened) };
  } catch (error) {
    await unmountSubPaths(opened);
    await unmountRoot(id, paths);
    throw error;
  }
}

async function mountRoot(id: string, image: Image, paths: NodePaths, images: ImageStore): Promise<void> {
  for (const name of ['rootfs', 'upper', 'work']) await mkdir(paths.container(id, name), { recursive: true });
  const lower = [...image.layers].reverse().join(':');
  const options = `lowerdir=${lower},upperdir=${paths.container(id, 'upper')},workdir=${paths.container(id, 'work')}`;
  const target = paths.container(id, 'rootfs');
  // relative lower directories, because the options of mount(2) are limited to one page
  await run('mount', ['-t', 'overlay', '-o', options, 'overlay', target], { cwd: images.layersDir });
}

async function unmountRoot(id: string, paths: NodePaths): Promise<void> {
  await attempt('umount', ['--lazy', paths.container(id, 'rootfs')]);
}

/** Creates a missing working directory, as runc does; crun reports why it cannot be used. */
function ensureDirectory(rootfs: string, path: string): void {
  try {
    closeSync(openInRoot(rootfs, path, 0o755));
  } catch {
    // a file in the way, a loop of links
  }
}

function variablesOf(input: ContainerInput, home: string | undefined): Map<string, string> {
  const { pod, container, image, facts, sources, services, granted } = input;
  const env = new Map<string, string>([
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ['HOSTNAME', pod.spec.hostNetwork ? facts.nodeName : (pod.spec.hostname ?? pod.metadata.name ?? '')],
    ...(container.tty ? [['TERM', 'xterm'] as const] : []),
  ]);
  for (const variable of image.config.Env ?? []) {
    const at = variable.indexOf('=');
    if (at > 0) env.set(variable.slice(0, at), variable.slice(at + 1));
  }
  for (const [name, value] of Object.entries(granted.envs)) env.set(name, value);
  for (const [name, value] of environmentOf(pod, container, facts, sources, services)) env.set(name, value);
  if (!env.has('HOME')) env.set('HOME', home || '/');
  return env;
}

/** Volumes, name files and granted mounts, parents before children. */
async function mountsOf(
  input: ContainerInput,
  paths: NodePaths,
  opened: string[],
  env: ReadonlyMap<string, string>,
): Promise<OciMount[]> {
  const { id, pod, container, volumes, granted } = input;
  const uid = pod.metadata.uid ?? '';
  const own = new Set((container.volumeMounts ?? []).map(({ mountPath }) => mountPath.replace(/\/+$/, '')));
  const mounts: OciMount[] = [];
  for (const mount of container.volumeMounts ?? []) {
    const volume = volumes.get(mount.name);
    if (!volume) throw new ConfigError(`volume "${mount.name}" of a volumeMount does not exist in the Pod`);
    const place = join(paths.pod(uid), 'volume-subpaths', `${id.slice(0, 12)}-${mounts.length}`);
    mounts.push(await volumeMount(mount, volume, opened, env, place));
  }
  const bind = (name: string, destination: string, ...options: string[]): void => {
    if (own.has(destination)) return;
    const source = paths.sandbox(uid, name);
    mounts.push({ destination, type: 'bind', source, options: ['rbind', 'rprivate', ...options] });
  };
  bind('hosts', '/etc/hosts');
  bind('hostname', '/etc/hostname');
  bind('resolv.conf', '/etc/resolv.conf');
  if (!pod.spec.hostIPC) bind('shm', '/dev/shm');
  else mounts.push({ destination: '/dev/shm', type: 'bind', source: '/dev/shm', options: ['rbind', 'rprivate'] });

  const log = terminationLog(paths, uid, id, container.name);
  await mkdir(join(log, '..'), { recursive: true });
  writeFileSync(log, '', { mode: 0o666 });
  // the umask restricts the mode of mkdir
  chmodSync(log, 0o666);
  mounts.push({
    destination: container.terminationMessagePath || TERMINATION_LOG,
    type: 'bind',
    source: log,
    options: ['rbind', 'rprivate'],
  });
  for (const { hostPath, containerPath, readOnly } of granted.mounts) {
    const options = ['rbind', 'rprivate', readOnly ? 'ro' : 'rw'];
    mounts.push({ destination: containerPath, type: 'bind', source: hostPath, options });
  }
  const depth = (path: string): number => path.split('/').filter(Boolean).length;
  return mounts.sort((a, b) => depth(a.destination) - depth(b.destination));
}

const PROPAGATION = { None: 'rprivate', HostToContainer: 'rslave', Bidirectional: 'rshared' } as const;

async function volumeMount(
  mount: VolumeMount,
  volume: ReadyVolume,
  opened: string[],
  env: ReadonlyMap<string, string>,
  place: string,
): Promise<OciMount> {
  const subPath = mount.subPathExpr ? expand(mount.subPathExpr, env) : mount.subPath;
  const source = subPath ? await mountSubPath(volume, subPath, opened, place) : volume.path;
  const readOnly = mount.readOnly || volume.readOnly;
  return {
    destination: mount.mountPath,
    type: 'bind',
    source,
    options: ['rbind', PROPAGATION[mount.mountPropagation ?? 'None'], accessOf(mount, readOnly)],
  };
}

/**
 * Opens a part of a volume without following links, which a container could create meanwhile, and mounts the open
 * file. Missing directories are created with the mode of the volume.
 */
async function mountSubPath(volume: ReadyVolume, subPath: string, opened: string[], place: string): Promise<string> {
  const fd = openSubPath(volume, subPath);
  try {
    if (fstatSync(fd).isDirectory()) await mkdir(place, { recursive: true });
    else {
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, '');
    }
    await run('mount', ['--no-canonicalize', '--bind', `/proc/${process.pid}/fd/${fd}`, place]);
    opened.push(place);
  } finally {
    closeSync(fd);
  }
  return place;
}

/** The caller closes the descriptor. */
function openSubPath(volume: ReadyVolume, subPath: string): number {
  if (subPath.split('/').includes('..')) throw new ConfigError(`subPath "${subPath}" must not contain ".."`);
  return openInRoot(volume.path, subPath, volume.readOnly ? undefined : statSync(volume.path).mode & 0o777);
}

async function unmountSubPaths(places: readonly string[]): Promise<void> {
  if (places.length) await attempt('umount', ['--lazy', ...places]);
  // never recursive: a remaining mount contains user data
  for (const place of places) await rm(place).catch(() => rmdir(place).catch(() => undefined));
}

function devicesOf(
  input: ContainerInput,
  privileged: boolean,
  user: { uid: number; gid: number },
): { devices: OciDevice[]; deviceRules: DeviceRule[] } {
  const devices: OciDevice[] = [];
  const deviceRules: DeviceRule[] = [];
  const add = (path: string, hostPath: string, access: string): void => {
    const node = deviceNode(path, hostPath, user);
    if (!node) throw new ConfigError(`${hostPath} is not a device node`);
    devices.push(node);
    deviceRules.push({ allow: true, type: node.type, major: node.major, minor: node.minor, access });
  };
  for (const { name, devicePath } of input.container.volumeDevices ?? []) {
    const volume = input.volumes.get(name);
    if (!volume?.block) throw new ConfigError(`volumeDevices: volume "${name}" has no volumeMode Block`);
    add(devicePath, volume.path, volume.readOnly ? 'r' : 'rwm');
  }
  for (const { hostPath, containerPath, permissions } of input.granted.devices)
    add(containerPath, hostPath, permissions);
  if (privileged) {
    const known = new Set(devices.map(({ path }) => path));
    devices.push(...hostDevices('/dev').filter(({ path }) => !known.has(path)));
  }
  return { devices, deviceRules };
}

/**
 * Device of a container, owned by the container's user if it has one, so that a Pod that does not run as root can use
 * it (containerd's `device_ownership_from_security_context`).
 */
function deviceNode(path: string, hostPath: string, user: { uid: number; gid: number }): OciDevice | undefined {
  const stats = statSync(hostPath, { throwIfNoEntry: false });
  if (!stats || !(stats.isCharacterDevice() || stats.isBlockDevice())) return undefined;
  const { major, minor } = deviceNumber(stats.rdev);
  return {
    path,
    type: stats.isBlockDevice() ? 'b' : 'c',
    major,
    minor,
    fileMode: stats.mode & 0o777,
    uid: user.uid || stats.uid,
    gid: user.gid || stats.gid,
  };
}

/** glibc's encoding of a device number. */
function deviceNumber(rdev: number): { major: number; minor: number } {
  const number = BigInt(rdev);
  return {
    major: Number(((number >> 8n) & 0xfffn) | ((number >> 32n) & ~0xfffn)),
    minor: Number((number & 0xffn) | ((number >> 12n) & ~0xffn & 0xffffffffn)),
  };
}

const NOT_PASSED = new Set(['pts', 'shm', 'mqueue', 'fd', 'stdin', 'stdout', 'stderr', 'console', 'termination-log']);

function hostDevices(directory: string): OciDevice[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (directory === '/dev' && NOT_PASSED.has(basename(path))) return [];
    if (entry.isDirectory()) return hostDevices(path);
    if (!entry.isCharacterDevice() && !entry.isBlockDevice()) return [];
    return deviceNode(path, path, { uid: 0, gid: 0 }) ?? [];
  });
}

/** OOM score of a container; lower than the engine's own only if the engine has the privilege. */
function oomScoreOf(pod: Pod, container: Container, capacity: number): number {
  const qos = qosClassOf(pod);
  const request = quantityOf(container.resources?.requests?.memory);
  const burstable = Math.min(Math.max(Math.floor(1000 - (1000 * request) / capacity), 3), 999);
  const wanted = qos === 'Guaranteed' ? -997 : qos === 'BestEffort' ? 1000 : burstable;
  return availableCapabilities().has('SYS_RESOURCE') ? wanted : Math.max(wanted, ownOomScore());
}

const ownOomScore = (): number => Number(readFileSync('/proc/self/oom_score_adj', 'utf8')) || 0;

/** Hard limit of the engine: raising it requires a capability that it may lack. */
function openFileLimit(): number {
  const match = /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
  return Math.min(Number(match?.[1] ?? 1024), 1_048_576);
}
