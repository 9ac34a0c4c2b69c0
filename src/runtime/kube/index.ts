/** The controller toolkit: a small Kubernetes client and what a controller needs around it. */
export { ApiError, isAlreadyExists, isConflict, isGone, isNotFound, isRefused } from './api-error';
export { readBody, readLines } from './bodies';
export { Cache, isSame, keyOf, olderVersion, splitKey } from './cache';
export type { Change, Indexer } from './cache';
export { ChangingFiles } from './changing-files';
export type { ChangingFilesOptions } from './changing-files';
export { KubeClient } from './client';
export type {
  DeleteOptions,
  ListOptions,
  PatchKind,
  PatchOptions,
  Selectors,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './client';
export { loadKubeConfig, parseKubeConfig } from './config';
export type { CredentialSource, KubeConfig } from './config';
export { EventRecorder } from './event-recorder';
export type { EventRecorderOptions, EventType } from './event-recorder';
export { Expectations } from './expectations';
export type { Follower } from './expectations';
export type { Staleness } from './freshness';
export { dropManagedFields, Informer } from './informer';
export type { ChangeHandlers, InformerOptions } from './informer';
export { LeaderElector } from './leader-elector';
export type { LeaderElectorOptions } from './leader-elector';
export { decideWith, sourceOf } from './lookup';
export type { Answers, Source } from './lookup';
export { readAuthorities, readKeyPair } from './pem';
export type { KeyPair } from './pem';
export { rateLimitOf } from './rate-limiter';
export type { RateLimit } from './rate-limiter';
export { apiVersionOf, pathOf, resources } from './resources';
export type { ObjectRef, Resource } from './resources';
export { ServingTls } from './serving-tls';
export type { ServingIdentity } from './serving-tls';
export { APPLY_PATCH } from './transport';
export type { RequestOptions, TransportOptions } from './transport';
export { WorkQueue } from './work-queue';
export type { Requeue, WorkQueueOptions } from './work-queue';
