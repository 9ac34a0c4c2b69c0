/** Names and URLs of the imports of a DataImportCron. Pure. */
import type { cdi, KubeObject } from '../../../../api';

export type DataImportCron = cdi.DataImportCron & KubeObject;

const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** Characters of a digest in a name, as in CDI. */
const SHORT = 12;

export const isDigest = (text: string | undefined): text is string => text !== undefined && DIGEST.test(text);

/** Name of the DataVolume for a digest, or for the UID of a claim. */
export const importName = ({ spec }: DataImportCron, digest: string): string =>
  `${spec.managedDataSource}-${digest.replace(/^\w+:/, '').slice(0, SHORT)}`;

/** URL of exactly this image, instead of a tag that moves: `docker://HOST/PATH@DIGEST`. */
export const pinned = (url: string, digest: string): string =>
  `${url.replace(/@.*$/, '').replace(/:[^/:]*$/, '')}@${digest}`;

export const pollName = ({ metadata }: DataImportCron): string => `poll-${metadata.uid}`;
