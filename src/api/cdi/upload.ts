/** Protocol of uploads between clients, the upload proxy and the upload server in the Pod of a claim. */
import { keys } from '../keys';

/** Form of an upload, by the last part of its path. */
export interface UploadForm {
  /** Whether the answer is sent when the bytes have arrived, before the image is converted. */
  readonly isAsync: boolean;
  /** Whether the body is `multipart/form-data` with the part `file`. */
  readonly isForm: boolean;
  /** Whether the body is a tar archive. */
  readonly isArchive: boolean;
}

const plain: UploadForm = { isAsync: false, isForm: false, isArchive: false };

/** Forms of an upload, by the names of CDI's endpoints. */
export const uploadForms: Readonly<Record<string, UploadForm>> = {
  upload: plain,
  'upload-async': { ...plain, isAsync: true },
  'upload-form': { ...plain, isForm: true },
  'upload-form-async': { ...plain, isForm: true, isAsync: true },
  'upload-archive': { ...plain, isArchive: true },
  'upload-archive-async': { ...plain, isArchive: true, isAsync: true },
};

const VERSIONS = ['v1beta1', 'v1alpha1'];

/** Form of the upload with this path, such as `/v1beta1/upload`; undefined for any other path. */
export function uploadFormOf(path: string): UploadForm | undefined {
  const [empty, version = '', name = '', ...more] = path.split('/');
  const isKnown = empty === '' && VERSIONS.includes(version) && more.length === 0 && Object.hasOwn(uploadForms, name);
  return isKnown ? uploadForms[name] : undefined;
}

/** Headers of an upload that continues. Their names are those of the IETF's draft of resumable uploads. */
export const uploadHeaders = {
  /** In a request: position of its first byte. In an answer: bytes that have arrived. */
  offset: 'upload-offset',
  /** Bytes of the whole upload. */
  length: 'upload-length',
  /** Identifies the file for the client: an upload continues only with the same file. */
  key: 'upload-key',
  /** Identifies the verified token. Only the upload proxy sends it to the upload server. */
  token: 'x-virt8s-upload-token',
} as const;

/** The fields of a claim that tell whether it receives an upload. */
interface Claim {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: { readonly dataSource?: unknown; readonly dataSourceRef?: unknown };
}

/** Whether the volume of a claim itself receives an upload, which virtctl requests with an annotation. */
export const isUploadTarget = ({ metadata, spec }: Claim): boolean =>
  metadata.annotations?.[keys.uploadTarget] !== undefined && !spec?.dataSource && !spec?.dataSourceRef;

/** Whether such a claim does not have its content yet. */
export const awaitsUpload = (claim: Claim): boolean =>
  isUploadTarget(claim) && claim.metadata.annotations?.[keys.podPhase] !== 'Succeeded';

/** Port of the upload server in its Pod. */
export const UPLOAD_PORT = 8444;
/** Name of the proxy's Service, as CDI names it. */
export const UPLOAD_PROXY_SERVICE = 'cdi-uploadproxy';
