import { isNotFound, olderVersion, resources } from '../../../runtime/kube';
import type { KubeClient } from '../../../runtime/kube';
import type { Pod, PodStatus } from '../../core-v1';

/** Maximum delay of a starting Pod's status; all other changes are written at once. */
const PROGRESS_DELAY_MS = 400;
const RETRY_MS = 1000;

/** Writes a changed Pod status, one request at a time and only the newest state. */
export class StatusWriter {
  private written?: string;
  /** Version of the Pod that our last write returned. */
  private version?: string;
  private isOverwritten = false;
  private wanted?: PodStatus;
  private writing?: Promise<void>;
  private timer?: NodeJS.Timeout;
  private closed = false;

  public constructor(
    private readonly client: KubeClient,
    private pod: Pod,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Pod in the API; its status counts as written before our first write. */
  public observe(pod: Pod): void {
    this.pod = pod;
    this.written ??= pod.status?.containerStatuses ? fingerprint(pod.status) : undefined;
    this.compare();
  }

  /** Somebody else changes our conditions, too: Pods of a silent node become not Ready. */
  private compare(): void {
    if (!this.wanted || !this.differs(this.wanted, this.pod)) return;
    this.isOverwritten = true;
    // not at once: the other may do it again
    this.schedule(RETRY_MS);
  }

  /** Whether the Pod is newer than our last write, and has other conditions. */
  private differs(wanted: PodStatus, { metadata, status }: Pod): boolean {
    if (!olderVersion(this.version, metadata.resourceVersion) || fingerprint(wanted) !== this.written) return false;
    return (wanted.conditions ?? []).some(
      ({ type, status: value }) =>
        OWN.has(type) && value !== status?.conditions?.find((other) => other.type === type)?.status,
    );
  }

  public set(status: PodStatus): void {
    this.wanted = status;
    if (fingerprint(status) === this.written) return;
    this.schedule(isProgress(status) ? PROGRESS_DELAY_MS : 0);
  }

  /** Writes the pending status and waits for the write. */
  public async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.wanted && fingerprint(this.wanted) !== this.written && !this.closed) await this.write();
    await this.writing;
  }

  /** Stops writing, because the Pod was deleted. */
  public close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  private delay = Number.POSITIVE_INFINITY;
  private schedule(ms: number): void {
    if (this.closed || (this.timer && ms >= this.delay)) return;
    clearTimeout(this.timer);
    this.delay = ms;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.write();
    }, ms);
  }

  private write(): Promise<void> {
    this.writing = (this.writing ?? Promise.resolve()).then(() => this.writeOnce());
    return this.writing;
  }

  private async writeOnce(): Promise<void> {
    const status = this.wanted;
    if (!status || this.closed) return;
    const print = fingerprint(status);
    if (print === this.written && !this.isOverwritten) return;
    const { namespace, name = '', uid } = this.pod.metadata;
    try {
      const { metadata } = await this.client.patch(
        resources.pods,
        { namespace, name, subresource: 'status' },
        { metadata: { uid }, status: patchOf(status, this.pod.status) },
        'strategic',
      );
      this.written = print;
      this.version = metadata.resourceVersion;
      this.isOverwritten = false;
      // what came during the write
      this.compare();
    } catch (error) {
      if (isNotFound(error)) return this.close();
      this.onError(error);
      this.schedule(RETRY_MS);
    }
  }
}

function isProgress({ phase, initContainerStatuses = [], containerStatuses = [] }: PodStatus): boolean {
  if (phase !== 'Pending') return false;
  return [...initContainerStatuses, ...containerStatuses].every(
    ({ state, lastState }) =>
      !lastState?.terminated &&
      (!state?.waiting || /^(ContainerCreating|PodInitializing)$/.test(state.waiting.reason ?? '')),
  );
}

/** Patch of a status. Conditions of others (readiness gates) are merged by type; removed fields must be set to null. */
function patchOf(status: PodStatus, known: PodStatus | undefined): object {
  const stale = (known?.podIPs ?? []).some(({ ip }) => !status.podIPs?.some((mine) => mine.ip === ip));
  return {
    ...status,
    reason: status.reason ?? null,
    message: status.message ?? null,
    conditions: (status.conditions ?? []).map((condition) => ({ reason: null, message: null, ...condition })),
    ...(stale ? { podIPs: [...(status.podIPs ?? []), { $patch: 'replace' }] } : {}),
  };
}

const OWN = new Set(['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled']);

/** Fingerprint of a status, independent of the order of keys and without conditions of others. */
function fingerprint(status: PodStatus): string {
  const conditions = (status.conditions ?? [])
    .filter(({ type }) => OWN.has(type))
    .map(({ type, status: value, reason, message }) => [type, value, reason ?? null, message ?? null])
    .sort((a, b) => String(a[0]).localeCompare(String(b[0])));
  return JSON.stringify(sorted({ ...status, conditions }));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== undefined && entry !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => [key, sorted(entry)]),
  );
}
