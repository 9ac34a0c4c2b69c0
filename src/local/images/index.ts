export type { Lease } from './leases';
export { ImageError } from './image';
export type { Image, PullPolicy } from './image';
export { ImageStore } from './store';
export { defaultPullPolicy } from './reference';
