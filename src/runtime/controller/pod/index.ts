/** VMI and cluster configuration -> launcher Pod. Pure; a file per concern. */
export { COMPUTE, UNPAUSED_GATE } from './constants';
export { claimNames, claimStatus } from './input';
export type { ClaimInfo, RenderInput } from './input';
export { podName } from './metadata';
export { renderPod } from './render';
export type { ContainerStatus, Pod, PodStatus } from './types';
