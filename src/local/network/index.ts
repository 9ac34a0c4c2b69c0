export { destroyPodNetwork, PodNetwork } from './pod-network';
export type { PodAddresses, PodNetworkOptions } from './pod-network';
export type { Subnets } from './subnet';
export { bridgeName, tableName } from './names';
