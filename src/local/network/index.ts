export { whileAlone } from './alone';
export { chooseSubnets, destroyPodNetwork, PodNetwork } from './pod-network';
export type { Subnets } from './subnet';
export type { PodAddresses } from './pod-network';
export { startPolicies } from './policy/policies';
export type { Policies } from './policy/policies';
export { startServices } from './services';
export type { Services } from './services';
export type { HostPort } from './service-table';
