import type { OutgoingHttpHeaders } from 'node:http';
import { sign } from 'aws4';

/** Keys of the Secret of an S3 source. */
export interface S3Keys {
  readonly user: string;
  readonly password: string;
}

const DEFAULT_REGION = 'us-east-1';

/** Region in the name of a host of Amazon; others accept the default. */
export const regionOf = (host: string): string =>
  /(?:^|\.)s3[.-](?:dualstack\.)?([a-z]{2}(?:-[a-z]+)+-\d+)\.amazonaws\.com(?:\.cn)?$/.exec(host)?.[1] ??
  DEFAULT_REGION;

/** Headers of a GET request with AWS Signature Version 4. The range of a request is not part of the signature. */
export function signedHeaders({ host, hostname, pathname, search }: URL, keys: S3Keys): OutgoingHttpHeaders {
  const request = { host, path: pathname + search, service: 's3', region: regionOf(hostname), method: 'GET' };
  return sign(request, { accessKeyId: keys.user, secretAccessKey: keys.password }).headers ?? {};
}
