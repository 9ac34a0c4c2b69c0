export { addToIndex, isNamed } from './cache-index';
export type { Lease } from './leases';
export { ImageError } from './image';
export type { Image, PullPolicy } from './image';
export { ImageStore } from './store';
export { defaultPullPolicy } from './reference';
export { loginsFor, parseLogins, type RegistryLogin, type RegistryLogins } from './credentials';
export type { Progress, PullOptions } from './registry';
