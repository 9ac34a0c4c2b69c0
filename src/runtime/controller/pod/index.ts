/** Renders the launcher Pod of a VMI, and the Pods around it, from VMI and cluster configuration. Pure; a file per concern. */
export { renderAttachmentPod } from './attachment';
export type { AttachmentInput } from './attachment';
export { claimInfo, claimNames, claimStatus, namedClaim, withClaimStatus } from './claims';
export type { ClaimInfo } from './claims';
export { clusterFacts, definitionKeys, limitsOf, RESOURCE_NAME, STATE_LABEL, stateClaimFor } from './cluster-facts';
export type { ClusterFacts, FactSource, ResourceQuota } from './cluster-facts';
export { COMPUTE, UNPAUSED_GATE } from './constants';
export { ImageVolumeSupport, withImageVolumeSupport } from './image-volume-support';
export type { ClusterVersions } from './image-volume-support';
export type { RenderInput } from './input';
export { podName } from './metadata';
export { renderMigrationTargetPod } from './migration';
export type { MigrationInput } from './migration';
export { renderPod } from './render';
export { missingStateClaim } from './state-claim';
export type { StateClaim } from './state-claim';
export type { Container, ContainerStatus, Pod, PodStatus, PodVolume, VolumeMount } from './types';
