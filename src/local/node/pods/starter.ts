import { readFileSync } from 'node:fs';
import { errorText } from '../../../api/error-text';
import { ApiError, resources } from '../../../runtime/kube';
import {
  defaultPullPolicy,
  type Image,
  ImageError,
  type Lease,
  loginsFor,
  parseLogins,
  type Progress,
  type PullPolicy,
  type RegistryLogin,
  type RegistryLogins,
} from '../../images';
import type { Container, EphemeralContainer, Pod, Secret, StateWaiting } from '../../core-v1';
import { CommandError } from '../../../runtime/host/command';
import { VolumeError, volumeImages } from '../volumes/volumes';
import type { ReadyVolume } from '../volumes/volumes';
import { writeBundle } from './container';
import type { NodeContext } from './context';
import { Backoff } from './decide';
import { ConfigError } from './environment';
import type { PodFacts } from './environment';
import { isAlive } from '../runtime/crun';
import type { ProcessId } from '../runtime/crun';
import { freeContainer } from './exit';
import { newContainerId } from './record';
import type { ContainerRecord } from './record';
import type { Sandbox } from './sandbox';

/** Error of a container that did not start, with the reason for its status and the delay of the next attempt. */
export class StartError extends Error {
  public override readonly name = 'StartError';
  public constructor(
    public readonly waiting: StateWaiting,
    public readonly retryMs: number,
  ) {
    super(waiting.message ?? waiting.reason ?? '');
  }
}

const CONFIG_RETRY_MS = 5_000;
const PROGRESS_MS = 10_000;

/** Pulls the images of a Pod, with the kubelet's backoff and messages. */
export class ImagePuller {
  private readonly backoff = new Backoff();
  private readonly notBefore = new Map<string, { at: number; message: string }>();

  public constructor(private readonly context: NodeContext) {}

  public async image(pod: Pod, reference: string, wanted: PullPolicy | undefined, lease: Lease): Promise<Image> {
    const policy = wanted ?? defaultPullPolicy(reference);
    const held = this.notBefore.get(reference);
    if (held && held.at > Date.now()) {
      this.context.events.normal(pod, 'BackOff', `Back-off pulling image "${reference}"`);
      throw new StartError(
        { reason: 'ImagePullBackOff', message: `Back-off pulling image "${reference}": ${held.message}` },
        held.at - Date.now(),
      );
    }
    const { images, events } = this.context;
    const present = await images.find(reference);
    const startedAt = Date.now();
    if (!present && policy !== 'Never') events.normal(pod, 'Pulling', `Pulling image "${reference}"`);
    try {
      const image = await images.ensure(reference, policy, lease, {
        logins: present && policy !== 'Always' ? [] : await this.logins(pod, reference),
        onProgress: this.reporter(pod, reference),
      });
      this.notBefore.delete(reference);
      this.backoff.forget(reference);
      if (present) events.normal(pod, 'Pulled', `Container image "${reference}" already present on machine`);
      else {
        const took = ((Date.now() - startedAt) / 1000).toFixed(3);
        events.normal(
          pod,
          'Pulled',
          `Successfully pulled image "${reference}" in ${took}s (${took}s including waiting). ` +
            `Image size: ${image.size} bytes.`,
        );
      }
      return image;
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      const verb = error.reason === 'ErrImagePull' ? `Failed to pull image "${reference}": ` : '';
      events.warning(pod, error.reason === 'InvalidImageName' ? 'InspectFailed' : 'Failed', `${verb}${error.message}`);
      events.warning(pod, 'Failed', `Error: ${error.reason}`);
      this.backoff.next(reference, 0);
      const wait = Math.max(this.backoff.current(reference), 10_000);
      if (error.reason === 'ErrImagePull') {
        this.notBefore.set(reference, { at: Date.now() + wait, message: `${error.reason}: ${error.message}` });
      }
      // show the cause for a moment before the status becomes a back-off
      throw new StartError({ reason: error.reason, message: error.message }, 2_000);
    }
  }

  /** Logins in the Pod's imagePullSecrets that fit an image. */
  private async logins(pod: Pod, reference: string): Promise<RegistryLogin[]> {
    const { namespace } = pod.metadata;
    const found: RegistryLogins[] = [];
    const unusable: string[] = [];
    for (const { name = '' } of pod.spec.imagePullSecrets ?? []) {
      try {
        const secret = name
          ? await this.context.client.find<Secret>(resources.secrets, { namespace, name })
          : undefined;
        const key = ['.dockerconfigjson', '.dockercfg'].find((candidate) => secret?.data?.[candidate]);
        if (key) found.push(parseLogins(key, Buffer.from(secret?.data?.[key] ?? '', 'base64').toString('utf8')));
        else unusable.push(name);
      } catch (error) {
        if (error instanceof ApiError && error.code >= 500) throw error;
        unusable.push(name);
      }
    }
    if (unusable.length > 0) {
      this.context.events.warning(
        pod,
        'FailedToRetrieveImagePullSecret',
        `Unable to retrieve some image pull secrets (${unusable.join(', ')}); attempting to pull the image may not succeed.`,
      );
    }
    return loginsFor(reference, found);
  }

  /** Reports a long download in events, at most every ten seconds. */
  private reporter(pod: Pod, reference: string): (progress: Progress) => void {
    let reportedAt = Date.now();
    return ({ done, total }) => {
      if (Date.now() - reportedAt < PROGRESS_MS) return;
      reportedAt = Date.now();
      const percent = total > 0 ? Math.floor((100 * done) / total) : 0;
      const of = `${percent} % of ${(total / 2 ** 20).toFixed(0)} MiB`;
      this.context.events.normal(pod, 'Pulling', `Pulling image "${reference}": ${of}`);
    };
  }

  /** Pulls the images of the Pod's image volumes. */
  public async volumeImages(pod: Pod, lease: Lease): Promise<Map<string, Image>> {
    const found = new Map<string, Image>();
    for (const { volume, reference, policy } of volumeImages(pod)) {
      found.set(volume, await this.image(pod, reference, policy, lease));
    }
    return found;
  }
}

export interface StartInput {
  readonly pod: Pod;
  readonly container: Container;
  readonly attempt: number;
  readonly sandbox: Sandbox;
  readonly volumes: ReadonlyMap<string, ReadyVolume>;
  readonly facts: PodFacts;
}

/** Starts one attempt of a container; throws `StartError` with the kubelet's reason on failure. */
export async function startContainer(
  context: NodeContext,
  puller: ImagePuller,
  input: StartInput,
): Promise<ContainerRecord> {
  const { pod, container, attempt, sandbox } = input;
  const { events, paths, records, runtime } = context;
  const reference = container.image ?? '';
  // keep the lease until the record refers to the image
  using lease = context.images.lease();
  const image = await puller.image(pod, reference, container.imagePullPolicy, lease);
  const id = newContainerId();
  const record: ContainerRecord = {
    id,
    podUid: pod.metadata.uid ?? '',
    namespace: pod.metadata.namespace ?? '',
    pod: pod.metadata.name ?? '',
    name: container.name,
    attempt,
    sandbox: sandbox.id,
    image: reference,
    imageId: `${reference.replace(/(@sha256:[0-9a-f]+|:[\w][\w.-]*)$/, '')}@${image.digest}`,
    stopSignal: image.config.StopSignal ?? 'SIGTERM',
    tty: container.tty ?? false,
    createdAt: new Date().toISOString(),
  };
  try {
    // write the record first, so that every part of a container has a record after a crash
    await records.save(record);
    const target = targetOf(context, pod, container);
    const sources = await context.volumes.sources(pod);
    const bundle = await writeBundle(
      {
        id,
        pod,
        container,
        attempt,
        image,
        sandbox,
        pidNamespace: target && `/proc/${target.pid}/ns/pid`,
        volumes: input.volumes,
        facts: input.facts,
        sources: sources.variables,
        services: context.services.variables(pod),
        granted: await context.devices.allocate(pod, container.name),
        cgroupParent: context.cgroupParent,
        memoryCapacity: context.memoryCapacity(),
      },
      paths,
      context.images,
    );
    try {
      record.process = await runtime.create(id, {
        bundle: paths.container(id),
        logPath: paths.container(id, 'log'),
        stdin: container.stdin ?? false,
        tty: container.tty ?? false,
      });
    } finally {
      await bundle.close();
    }
    // if it ended, another process may have had its PID
    if (target && !isAlive(target)) throw new ConfigError(notRunning(container));
    events.normal(pod, 'Created', `Created container: ${container.name}`);
    record.startingAt = new Date().toISOString();
    record.startingBoot = bootId();
    await records.save(record);
    await runtime.start(id);
    record.startedAt = record.startingAt;
    await records.save(record);
    events.normal(pod, 'Started', `Started container ${container.name}`);
    return record;
  } catch (error) {
    await freeContainer(context, id).catch(() => undefined);
    await records.forget(id);
    throw explain(context, pod, container, error);
  }
}

const notRunning = ({ targetContainerName }: EphemeralContainer): string =>
  `unable to find target container ${targetContainerName ?? ''}`;

/** Running process of the container whose processes an ephemeral container sees. */
function targetOf({ records }: NodeContext, pod: Pod, container: EphemeralContainer): ProcessId | undefined {
  const { targetContainerName } = container;
  if (!targetContainerName || pod.spec.hostPID || pod.spec.shareProcessNamespace) return undefined;
  const record = records
    .ofPod(pod.metadata.uid ?? '')
    .filter(({ name }) => name === targetContainerName)
    .at(-1);
  if (!record?.process || record.exit || !isAlive(record.process)) throw new ConfigError(notRunning(container));
  return record.process;
}

/**
 * Resumes an attempt that a killed engine left incomplete. An attempt whose start was recorded in this boot of
 * the machine is started, or was started already: it is never created a second time, even if its process was killed
 * before it ran, which cannot be detected afterwards. Returns false for other attempts: after a reboot, at most the
 * first moments of the attempt have run.
 */
export async function resumeContainer({ records, runtime }: NodeContext, record: ContainerRecord): Promise<boolean> {
  if (!record.startingAt || (record.startingBoot ?? bootId()) !== bootId()) return false;
  // a start by the earlier engine may still be running; the runtime rejects the second one
  const failed = isAlive(record.process) ? await runtime.start(record.id).catch((error: unknown) => error) : undefined;
  if (failed && (await runtime.state(record.id)) === 'created') return false;
  record.startedAt = record.startingAt;
  await records.save(record);
  return true;
}

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

/** Maps a failure to the kubelet's reason and event. */
function explain({ events }: NodeContext, pod: Pod, container: Container, error: unknown): StartError {
  if (error instanceof StartError) return error;
  const message = errorText(error);
  if (error instanceof ConfigError) {
    events.warning(pod, 'Failed', `Error: ${message}`);
    return new StartError({ reason: error.reason, message }, CONFIG_RETRY_MS);
  }
  if (error instanceof VolumeError) return new StartError({ reason: 'ContainerCreating', message }, CONFIG_RETRY_MS);
  // crun reports a command that cannot run at create, runc at start
  const cannotRun =
    error instanceof CommandError && /executable file|exec format|permission denied/i.test(error.stderr);
  const reason = cannotRun ? 'RunContainerError' : 'CreateContainerError';
  events.warning(
    pod,
    'Failed',
    `Error: ${cannotRun ? 'failed to start' : 'failed to create'} container "${container.name}": ${message}`,
  );
  return new StartError({ reason, message }, 10_000);
}
