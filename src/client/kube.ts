/** What a client needs of the toolkit. By its files: the parts for controllers would make a script load four times as much. */
export { ApiError, isAlreadyExists, isConflict, isGone, isNotFound } from '../runtime/kube/api-error';
export { KubeClient } from '../runtime/kube/client';
export type { WatchEvent } from '../runtime/kube/client';
export { loadKubeConfig } from '../runtime/kube/config';
export type { KubeConfig } from '../runtime/kube/config';
export { apiVersionOf, pathOf, resources } from '../runtime/kube/resources';
export type { ObjectRef, Resource } from '../runtime/kube/resources';
export { readBody } from '../runtime/kube/bodies';
export { APPLY_PATCH } from '../runtime/kube/transport';
export type { RequestOptions } from '../runtime/kube/transport';
