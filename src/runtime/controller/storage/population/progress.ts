import { get } from 'node:http';
import { METRICS_PORT, PROGRESS_METRIC } from '../../../../api/cdi/import-request';
import type { Informer } from '../../../kube';
import type { Pod } from '../../pod';
import { targetOf } from './target';

const INTERVAL_MS = 2_000;
const TIMEOUT_MS = 1_000;
/** The metrics of an importer are far smaller. */
const MOST_BYTES = 16 << 10;

/** Reads how far the running importers are, and wakes their claims when that changes. Without importers it does nothing. */
export class ProgressReader {
  /** By the UID of the Pod, as CDI writes it: `45.20%`. */
  public readonly percentages = new Map<string, string>();
  private readonly running = new Map<string, Pod>();
  private timer?: NodeJS.Timeout;

  public constructor(
    private readonly pods: Informer<Pod>,
    private readonly wake: (claim: string) => void,
  ) {}

  /** Starts or stops to follow a Pod that changed. */
  public see(pod: Pod): void {
    const { uid = '', namespace, name } = pod.metadata;
    const current = this.pods.get(`${namespace}/${name}`);
    if (current?.metadata.uid === uid && current.status?.phase === 'Running') this.running.set(uid, current);
    else {
      this.running.delete(uid);
      this.percentages.delete(uid);
    }
    if (this.running.size > 0) this.timer ??= setInterval(() => void this.read(), INTERVAL_MS);
    else this.stop();
  }

  public stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async read(): Promise<void> {
    await Promise.all([...this.running].map(([uid, pod]) => this.readOne(uid, pod)));
  }

  private async readOne(uid: string, { metadata, status }: Pod): Promise<void> {
    const percent = percentOf(await metricsOf(status?.podIP).catch(() => ''));
    if (percent === undefined || !this.running.has(uid) || this.percentages.get(uid) === percent) return;
    this.percentages.set(uid, percent);
    const target = targetOf({ metadata });
    if (target) this.wake(target);
  }
}

/** Percentage in the metrics of an importer, which may send anything. */
export function percentOf(text: string): string | undefined {
  const found = new RegExp(`^${PROGRESS_METRIC}\\{[^}\\n]*\\} (\\d{1,3}(?:\\.\\d{1,6})?)$`, 'm').exec(text)?.[1];
  const percent = Number(found);
  return found !== undefined && percent <= 100 ? `${percent.toFixed(2)}%` : undefined;
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
