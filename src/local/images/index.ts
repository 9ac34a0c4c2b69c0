export type { Lease } from './leases';
export { ImageError, ImageStore } from './store';
export type { Image, PullPolicy } from './store';
export { defaultPullPolicy } from './reference';
