export { destroyPodNetwork, PodNetwork } from './pod-network';
export type { PodAddresses } from './pod-network';
export { startServices } from './services';
export type { Services } from './services';
export type { HostPort } from './service-table';
