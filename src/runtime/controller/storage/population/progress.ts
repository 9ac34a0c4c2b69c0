import { get } from 'node:http';
import { METRICS_PORT, PROGRESS_METRIC, RECEIVED_METRIC, SOURCE_METRIC } from '../../../../api/cdi/import-request';
import { bytesText, paceText } from '../../../../api/progress-text';
import type { Informer } from '../../../kube';
import type { Pod } from '../../pod';
import { targetOf } from './target';

const INTERVAL_MS = 2_000;
/** Shortest time between two writes for one import, unless it has advanced by `STEP` percent. */
const QUIET_MS = 5_000;
const STEP = 10;
/** Time over which the rate is an average. */
const WINDOW_MS = 30_000;
const TIMEOUT_MS = 1_000;
/** The metrics of an importer are far smaller. */
const MOST_BYTES = 16 << 10;

/** Progress of an import, as its claim shows it. */
export interface Shown {
  /** As CDI writes it: `45.20%`. */
  readonly percent: string;
  /** Bytes, rate and remaining time; undefined if the importer does not report them. */
  readonly pace?: string;
}

/** Report of an importer at one time. */
export interface Sample {
  readonly at: number;
  readonly percent: number;
  readonly bytes?: { readonly done: number; readonly total: number };
}

interface Followed {
  readonly pod: Pod;
  /** Samples of the last `WINDOW_MS`, the oldest first. */
  readonly samples: readonly Sample[];
  /** Text of the claim, and its time. */
  readonly written?: Shown & { readonly at: number };
}

/** Reads how far the running importers are, and wakes their claims when that changes. Without importers it does nothing. */
export class ProgressReader {
  /** By the UID of the Pod. */
  public readonly shown = new Map<string, Shown>();
  private readonly running = new Map<string, Followed>();
  private timer?: NodeJS.Timeout;

  public constructor(
    private readonly pods: Informer<Pod>,
    private readonly wake: (claim: string) => void,
  ) {}

  /** Starts or stops to follow a Pod that changed. */
  public see(pod: Pod): void {
    const { uid = '', namespace, name } = pod.metadata;
    const current = this.pods.get(`${namespace}/${name}`);
    if (current?.metadata.uid === uid && current.status?.phase === 'Running') {
      this.running.set(uid, { samples: [], ...this.running.get(uid), pod: current });
    } else {
      this.running.delete(uid);
      this.shown.delete(uid);
    }
    if (this.running.size > 0) this.timer ??= setInterval(() => void this.read(), INTERVAL_MS);
    else this.stop();
  }

  public stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async read(): Promise<void> {
    await Promise.all([...this.running].map(([uid, { pod }]) => this.readOne(uid, pod)));
  }

  private async readOne(uid: string, { metadata, status }: Pod): Promise<void> {
    const sample = sampleOf(await metricsOf(status?.podIP).catch(() => ''), performance.now());
    const followed = this.running.get(uid);
    if (!sample || !followed) return;
    const samples = [...windowOf(followed.samples, sample), sample];
    const next = shownOf(samples);
    const written = followed.written;
    if (written && !isNews(written, { ...next, at: sample.at }))
      return void this.running.set(uid, { ...followed, samples });
    this.running.set(uid, { ...followed, samples, written: { ...next, at: sample.at } });
    this.shown.set(uid, next);
    const target = targetOf({ metadata });
    if (target) this.wake(target);
  }
}

/** Samples that count for the rate: those of an importer that started again, and old ones, do not. */
export const windowOf = (samples: readonly Sample[], next: Sample): readonly Sample[] =>
  samples.filter(
    ({ at, bytes }) =>
      next.at - at <= WINDOW_MS && bytes?.total === next.bytes?.total && (bytes?.done ?? 0) <= (next.bytes?.done ?? 0),
  );

/** Whether a change is written: each write is one to the claim and one to its DataVolume. A rate of zero is shown late. */
export function isNews(shown: Shown & { readonly at: number }, next: Shown & { readonly at: number }): boolean {
  const age = next.at - shown.at;
  if (next.percent === shown.percent) return next.pace !== shown.pace && age >= WINDOW_MS;
  return age >= QUIET_MS || Math.abs(parseFloat(next.percent) - parseFloat(shown.percent)) >= STEP;
}

export function shownOf(samples: readonly Sample[]): Shown {
  const [first, last] = [samples[0]!, samples.at(-1)!];
  const percent = `${last.percent.toFixed(2)}%`;
  if (!last.bytes) return { percent };
  const { done, total } = last.bytes;
  const pace = paceText(done, total, first.bytes?.done ?? 0, last.at - first.at);
  return { percent, pace: `received ${bytesText(done)} of ${bytesText(total)}${pace}` };
}

/** Metrics of an importer, which may send anything. */
export function sampleOf(text: string, at: number): Sample | undefined {
  const value = (name: string, pattern: string): number | undefined => {
    const found = new RegExp(`^${name}\\{[^}\\n]*\\} (${pattern})$`, 'm').exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const percent = value(PROGRESS_METRIC, '\\d{1,3}(?:\\.\\d{1,6})?');
  if (percent === undefined || percent > 100) return undefined;
  const [done, total] = [value(RECEIVED_METRIC, '\\d{1,15}'), value(SOURCE_METRIC, '\\d{1,15}')];
  const isWhole = done !== undefined && total !== undefined && total > 0 && done <= total;
  return { at, percent, ...(isWhole && { bytes: { done, total } }) };
}

function metricsOf(address: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!address) return resolve('');
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const request = get({ host: address, port: METRICS_PORT, path: '/metrics', signal }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > MOST_BYTES) request.destroy();
      });
      response.on('end', () => resolve(text));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}
