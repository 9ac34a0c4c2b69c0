// Generated from api/schema/upload.cdi.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { UploadTokenRequest } from '../../api/generated/upload-cdi-v1beta1';
import type { ObjectProps } from './props';

/** Asks for a token with which one claim can be uploaded to. Answered at once, never stored. */
export class UploadTokenRequestObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<UploadTokenRequest>) {
    super(scope, id, { ...props, apiVersion: 'upload.cdi.kubevirt.io/v1beta1', kind: 'UploadTokenRequest' });
  }
}
