import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { chmod, lstat, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '../../../api/error-text';
import type { KubeClient } from '../../../runtime/kube';
import type { Image, ImageStore, PullPolicy } from '../../images';
import { defaultPullPolicy } from '../../images';
import { run } from '../../../runtime/host/command';
import { removeUnmounted } from '../../host/unmount';
import { codeOf, giveToGroup } from '../../host/untrusted';
import { listDirectory, mountsUnder, readJson, removeTree, writeJson } from '../../host/files';
import { claimOf, type VolumeClaim } from '../../claims';
import type { Pod, Volume } from '../../core-v1';
import type { NodePaths } from '../pods/paths';
import type { PodFacts } from '../pods/environment';
import { quantityOf } from '../../quantity';
import { writePayload } from './atomic-writer';
import { blockDeviceOf } from '../../host/loop-devices';
import { sourceOfClaim } from './claims';
import { exceeds, limitedVolumes } from './limits';
import type { LimitedVolume } from './limits';
import { ObjectSources, PodTokens } from './object-sources';
import { isPayloadVolume, payloadOf } from './payload';

/** Volume that can be mounted into containers. */
export interface ReadyVolume {
  readonly path: string;
  readonly readOnly: boolean;
  /** Whether `path` is a block device for `volumeDevices`. */
  readonly block: boolean;
}

/** Error of a volume, with the message of the kubelet's event. */
export class VolumeError extends Error {
  public override readonly name = 'VolumeError';
  public constructor(
    public readonly volume: string,
    cause: unknown,
  ) {
    super(`MountVolume.SetUp failed for volume "${volume}" : ${errorText(cause)}`);
  }
}

/** File in a Pod's directory with the images of its volumes. */
const IMAGES = 'volume-images.json';

export interface VolumesOptions {
  readonly client: KubeClient;
  readonly images: ImageStore;
  readonly paths: NodePaths;
}

/** Mounts and unmounts the volumes of Pods. */
export class Volumes {
  private readonly tokens: PodTokens;

  public constructor(private readonly options: VolumesOptions) {
    this.tokens = new PodTokens(options.client);
  }

  /** Current objects that the Pod reads. */
  public sources(pod: Pod): Promise<ObjectSources> {
    return ObjectSources.load(this.options.client, pod, new Map());
  }

  /** Mounts all volumes of a Pod. Idempotent. Image volumes require their pulled images. */
  public async setUp(pod: Pod, facts: PodFacts, images: ReadonlyMap<string, Image>): Promise<Map<string, ReadyVolume>> {
    const ready = new Map<string, ReadyVolume>();
    const volumes = pod.spec.volumes ?? [];
    const sources = volumes.some(isPayloadVolume) ? await this.sources(pod) : undefined;
    for (const volume of volumes) {
      try {
        ready.set(volume.name, await this.setUpOne(pod, volume, facts, images, sources));
      } catch (error) {
        throw new VolumeError(volume.name, error);
      }
    }
    return ready;
  }

  /** Updates the files of ConfigMaps, Secrets, downward API and tokens. */
  public async refresh(pod: Pod, facts: PodFacts): Promise<void> {
    const volumes = (pod.spec.volumes ?? []).filter(isPayloadVolume);
    if (!volumes.length) return;
    const sources = await this.sources(pod);
    for (const volume of volumes) await this.writePayload(pod, volume, facts, sources);
  }

  /** First volume that holds more than its size limit. */
  public async overLimit(pod: Pod): Promise<LimitedVolume | undefined> {
    for (const volume of limitedVolumes(pod)) {
      const path = this.options.paths.volume(pod.metadata.uid ?? '', 'kubernetes.io~empty-dir', volume.name);
      if (await exceeds(path, volume.limit)) return volume;
    }
    return undefined;
  }

  /** Unmounts and removes the volumes of a Pod; claims and host paths keep their data. */
  public async tearDown(podUid: string): Promise<void> {
    this.tokens.forget(podUid);
    await removeUnmounted(join(this.options.paths.pod(podUid), 'volumes'));
    await removeTree(join(this.options.paths.pod(podUid), IMAGES));
  }

  /** Digests of images that are mounted as volumes. */
  public async imagesInUse(): Promise<string[]> {
    const { paths } = this.options;
    const found: string[] = [];
    for (const uid of await listDirectory(paths.pods)) {
      const used = await readJson<Record<string, string>>(join(paths.pod(uid), IMAGES));
      found.push(...Object.values(used ?? {}));
    }
    return found;
  }

  private setUpOne(
    pod: Pod,
    volume: Volume,
    facts: PodFacts,
    images: ReadonlyMap<string, Image>,
    sources: ObjectSources | undefined,
  ): Promise<ReadyVolume> | ReadyVolume {
    if (isPayloadVolume(volume)) return this.writePayload(pod, volume, facts, sources as ObjectSources);
    if (volume.hostPath) return hostPath(volume.hostPath.path, volume.hostPath.type ?? '');
    const claim = claimOf(pod, volume);
    if (claim) return this.claim(pod, claim);
    if (volume.image) return this.image(pod, volume, images.get(volume.name));
    if (volume.emptyDir || Object.keys(volume).length === 1) return this.emptyDir(pod, volume);
    if (volume.csi) throw new Error(`driver name ${volume.csi.driver} not found in the list of registered CSI drivers`);
    const kind = Object.keys(volume).find((key) => key !== 'name');
    throw new Error(
      `volumes of kind "${kind}" are not supported (allowed: emptyDir, configMap, secret, downwardAPI, projected, ` +
        'hostPath, persistentVolumeClaim, ephemeral, image)',
    );
  }

  private async emptyDir(pod: Pod, volume: Volume): Promise<ReadyVolume> {
    const path = this.options.paths.volume(pod.metadata.uid ?? '', 'kubernetes.io~empty-dir', volume.name);
    const { medium = '', sizeLimit } = volume.emptyDir ?? {};
    await mkdir(path, { recursive: true });
    if (medium !== '' && !mountsUnder(path).length) {
      const huge = /^HugePages(?:-(\d+)([MG])i)?$/.exec(medium);
      const size = sizeLimit === undefined ? memoryLimitOf(pod) : Math.floor(quantityOf(sizeLimit));
      const options = huge
        ? [huge[1] ? `pagesize=${huge[1]}${huge[2]}` : '', 'mode=0777']
        : [size ? `size=${size}` : '', 'mode=0777'];
      const type = huge ? 'hugetlbfs' : 'tmpfs';
      await run('mount', ['-t', type, '-o', options.filter(Boolean).join(','), type, path]);
    }
    await applyFsGroup(path, pod.spec.securityContext?.fsGroup);
    return { path, readOnly: false, block: false };
  }

  private async writePayload(pod: Pod, volume: Volume, facts: PodFacts, sources: ObjectSources): Promise<ReadyVolume> {
    const kind = volume.configMap
      ? 'configmap'
      : volume.secret
        ? 'secret'
        : volume.projected
          ? 'projected'
          : 'downward-api';
    const path = this.options.paths.volume(pod.metadata.uid ?? '', `kubernetes.io~${kind}`, volume.name);
    const tokens = await this.tokens.of(pod, volume);
    const files = payloadOf(pod, volume, facts, {
      configMap: (name) => sources.configMap(name),
      secret: (name) => sources.secret(name),
      token: (name) => tokens.get(name),
    });
    await writePayload(path, files, pod.spec.securityContext?.fsGroup);
    return { path, readOnly: true, block: false };
  }

  private async claim(pod: Pod, claim: VolumeClaim): Promise<ReadyVolume> {
    const { readOnly } = claim;
    const source = await sourceOfClaim(this.options.client, pod, claim);
    if (source.block) return { path: await blockDeviceOf(source.path), readOnly, block: true };
    const { fsGroup } = pod.spec.securityContext ?? {};
    if (!readOnly && fsGroup !== undefined) await applyFsGroup(source.path, fsGroup);
    if (!source.isLocal) return { path: source.path, readOnly, block: false };
    // below the directory of the kubelet, in which virt-handler finds it
    const path = this.options.paths.volume(pod.metadata.uid ?? '', 'kubernetes.io~local-volume', source.volumeName);
    await mkdir(path, { recursive: true });
    if (!mountsUnder(path).length) await run('mount', ['--bind', source.path, path]);
    return { path, readOnly, block: false };
  }

  private async image(pod: Pod, volume: Volume, image: Image | undefined): Promise<ReadyVolume> {
    if (!image) throw new Error(`image "${volume.image?.reference ?? ''}" is not pulled yet`);
    const { paths } = this.options;
    const path = paths.volume(pod.metadata.uid ?? '', 'kubernetes.io~image', volume.name);
    await mkdir(path, { recursive: true });
    // recorded before it is mounted, so that layers in use are never removed
    const note = join(paths.pod(pod.metadata.uid ?? ''), IMAGES);
    await writeJson(note, { ...(await readJson<Record<string, string>>(note)), [volume.name]: image.digest });
    if (!mountsUnder(path).length) await mountImage(this.options.images, image, path);
    return { path, readOnly: true, block: false };
  }
}

/** Mounts the content of an image read-only: its only layer, or an overlay of all. */
async function mountImage(images: ImageStore, image: Image, target: string): Promise<void> {
  const [only, ...more] = image.layers;
  if (!only) throw new Error(`image "${image.ref}" has no layers`);
  const options = { cwd: images.layersDir };
  if (!more.length) await run('mount', ['--bind', '-o', 'ro', join(images.layersDir, only), target], options);
  else {
    const lower = [...image.layers].reverse().join(':');
    await run('mount', ['-t', 'overlay', '-o', `ro,lowerdir=${lower}`, 'overlay', target], options);
  }
}

/** Images of a Pod's volumes, by volume name. */
export function volumeImages(pod: Pod): { volume: string; reference: string; policy: PullPolicy }[] {
  return (pod.spec.volumes ?? []).flatMap(({ name, image }) =>
    image?.reference
      ? [{ volume: name, reference: image.reference, policy: image.pullPolicy ?? defaultPullPolicy(image.reference) }]
      : [],
  );
}

/** Size of a memory-backed volume. Without a limit, the sum of the containers' limits. */
function memoryLimitOf(pod: Pod): number {
  const limits = pod.spec.containers.map(({ resources }) => quantityOf(resources?.limits?.memory));
  return limits.every((limit) => limit > 0) ? limits.reduce((sum, limit) => sum + limit, 0) : 0;
}

async function hostPath(path: string, type: string): Promise<ReadyVolume> {
  if (type === 'DirectoryOrCreate') await mkdir(path, { recursive: true, mode: 0o755 });
  if (type === 'FileOrCreate') await makeFile(path);
  const wanted: Record<string, [string, (stats: ReturnType<typeof statSync>) => boolean | undefined]> = {
    Directory: ['a directory', (stats) => stats?.isDirectory()],
    DirectoryOrCreate: ['a directory', (stats) => stats?.isDirectory()],
    File: ['a file', (stats) => stats?.isFile()],
    FileOrCreate: ['a file', (stats) => stats?.isFile()],
    Socket: ['a socket file', (stats) => stats?.isSocket()],
    CharDevice: ['a character device', (stats) => stats?.isCharacterDevice()],
    BlockDevice: ['a block device', (stats) => stats?.isBlockDevice()],
  };
  const check = wanted[type];
  if (!check) {
    // without a type, the kubelet creates a missing directory, as Docker did
    if (!lstatSync(path, { throwIfNoEntry: false })) mkdirSync(path, { recursive: true });
  } else {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats || !check[1](stats)) throw new Error(`hostPath type check failed: ${path} is not ${check[0]}`);
  }
  return { path, readOnly: false, block: false };
}

/** Creates a missing file. The type check handles an existing path, which may be a FIFO that would block. */
async function makeFile(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o644)).close();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** Changes the group of a volume as the kubelet does: readable and writable for the group, inherited by new files. */
async function applyFsGroup(path: string, fsGroup: number | undefined): Promise<void> {
  const stats = await lstat(path);
  if (fsGroup === undefined) {
    if ((stats.mode & 0o7777) !== 0o777) chmodSync(path, 0o777);
    return;
  }
  // already changed: files that containers wrote since keep their owner
  if (stats.gid === fsGroup && (stats.mode & 0o2070) === 0o2070) return;
  await giveToGroup(path, fsGroup);
  await chmod(path, 0o2777);
}
