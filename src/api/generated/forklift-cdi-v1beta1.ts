// Generated from api/schema/forklift.cdi.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';

/**
 * Fills a claim from an image of OpenStack; named by the claim's dataSourceRef.
 */
export interface OpenstackVolumePopulator extends KubeObject {
  /**
   * Where the image is.
   */
  spec: OpenstackVolumePopulatorSpec;
  /**
   * How far it is.
   */
  status?: OpenstackVolumePopulatorStatus;
}

/**
 * Where the image is.
 */
export interface OpenstackVolumePopulatorSpec {
  /**
   * URL of the identity service.
   */
  identityUrl: string;
  /**
   * The image.
   */
  imageId: string;
  /**
   * Secret with the credentials.
   */
  secretRef: string;
  /**
   * NetworkAttachmentDefinition for the transfer. Default: the Pod network.
   */
  transferNetwork?: string;
}

/**
 * How far it is.
 */
export interface OpenstackVolumePopulatorStatus {
  /**
   * Percentage.
   */
  progress?: string;
}

/**
 * Fills a claim from a disk of oVirt; named by the claim's dataSourceRef.
 */
export interface OvirtVolumePopulator extends KubeObject {
  /**
   * Where the disk is.
   */
  spec: OvirtVolumePopulatorSpec;
  /**
   * How far it is.
   */
  status?: OvirtVolumePopulatorStatus;
}

/**
 * Where the disk is.
 */
export interface OvirtVolumePopulatorSpec {
  /**
   * The disk.
   */
  diskId: string;
  /**
   * URL of the engine.
   */
  engineUrl: string;
  /**
   * Secret with the credentials.
   */
  secretRef: string;
  /**
   * NetworkAttachmentDefinition for the transfer. Default: the Pod network.
   */
  transferNetwork?: string;
}

/**
 * How far it is.
 */
export interface OvirtVolumePopulatorStatus {
  /**
   * Percentage.
   */
  progress?: string;
}
