/** Parts of the Kubernetes toolkit for clients. Imports single files: the whole toolkit would quadruple the load time. */
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
