/** The controller toolkit: a small Kubernetes client and what a controller needs around it. */
export { ApiError, isAlreadyExists, isConflict, isGone, isNotFound, isRefused } from './api-error';
export { Cache, isSame, keyOf, olderVersion, splitKey } from './cache';
export type { Change, Indexer } from './cache';
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
export type { KubeConfig } from './config';
export { EventRecorder } from './event-recorder';
export type { EventRecorderOptions, EventType } from './event-recorder';
export { Expectations } from './expectations';
export type { Follower } from './expectations';
export { dropManagedFields, Informer } from './informer';
export type { ChangeHandlers, InformerOptions } from './informer';
export { LeaderElector } from './leader-elector';
export type { LeaderElectorOptions } from './leader-elector';
export { decideWith, sourceOf } from './lookup';
export type { Answers, Source } from './lookup';
export { apiVersionOf, pathOf, resources } from './resources';
export type { ObjectRef, Resource } from './resources';
export { APPLY_PATCH, readBody, readLines } from './transport';
export type { RequestOptions } from './transport';
export { WorkQueue } from './work-queue';
export type { Requeue, WorkQueueOptions } from './work-queue';
