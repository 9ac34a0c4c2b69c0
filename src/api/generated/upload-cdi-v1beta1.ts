// Generated from api/schema/upload.cdi.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';

/**
 * Asks for a token with which one claim can be uploaded to. Answered at once, never stored.
 */
export interface UploadTokenRequest extends KubeObject {
  /**
   * What is uploaded to.
   */
  spec: UploadTokenRequestSpec;
  /**
   * The answer.
   */
  status?: UploadTokenRequestStatus;
}

/**
 * What is uploaded to.
 */
export interface UploadTokenRequestSpec {
  /**
   * The claim, in the same namespace.
   */
  pvcName: string;
}

/**
 * The answer.
 */
export interface UploadTokenRequestStatus {
  /**
   * JSON Web Token for the header `Authorization: Bearer TOKEN`. Valid for five minutes.
   */
  token?: string;
}
