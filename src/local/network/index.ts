export { destroyPodNetwork, PodNetwork } from './pod-network';
export type { PodAddresses, PodNetworkOptions } from './pod-network';
export { startServices } from './services';
export type { Services, ServicesOptions } from './services';
export type { HostPort } from './service-table';
export type { Subnets } from './subnet';
export { gatewayName, tableName } from './names';
