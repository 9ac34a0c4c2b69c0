import type { Logger } from 'pino';
import type { KubeVirt } from '../../api';
import type { OperatorReason } from '../../api/reasons';
import type { EventRecorder, KubeClient } from '../kube';
import type { OperatorCaches } from './caches';
import type { Settings } from './settings';
import type { Writer } from './writer';

/** Context that the passes of the operator share. */
export interface Context {
  readonly client: KubeClient;
  readonly settings: Settings;
  readonly caches: OperatorCaches;
  readonly writer: Writer;
  readonly recorder: EventRecorder<OperatorReason>;
  readonly log: Logger;
  now(): number;
}

/** Time as the API writes it. */
export const timeOf = (context: Context): string => new Date(context.now()).toISOString().replace(/\.\d+Z$/, 'Z');

/** Oldest first; of two that were created together, the first by name. */
export function byAge(a: KubeVirt, b: KubeVirt): number {
  const key = ({ metadata }: KubeVirt): string => `${metadata.creationTimestamp} ${metadata.name}`;
  return key(a) < key(b) ? -1 : 1;
}
