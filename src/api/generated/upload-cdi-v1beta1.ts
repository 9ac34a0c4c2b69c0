// Generated from api/schema/upload.cdi.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';

/** Asks for a token with which one claim can be uploaded to. Answered at once, never stored. */
export interface UploadTokenRequest extends KubeObject {
  spec: UploadTokenRequestSpec;
  status?: UploadTokenRequestStatus;
}

export interface UploadTokenRequestSpec {
  pvcName: string;
}

export interface UploadTokenRequestStatus {
  token?: string;
}
