export type { Lease } from './leases';
export { ImageError, ImageStore } from './store';
export type { Image, ImageConfig, ImageStoreOptions, PullPolicy } from './store';
export { defaultPullPolicy, normalReference, parseReference } from './reference';
