import type { FileHandle } from 'node:fs/promises';
import type { cdi, core, KubeObject } from '../../api';
import { awaitsUpload } from '../../api/cdi/upload';
import { keys } from '../../api/keys';
import { kinds } from '../../api/kinds/registry';
import { quantityValue } from '../../api/quantity';
import { pathOf, resources, ApiError } from '../../client/kube';
import type { Resource } from '../../client/kube';
import { waitFor } from '../../client/wait';
import type { Connection } from '../connection';
import { CliError, messageOf } from '../errors';
import { openImage, type ImageFile } from './image-file';
import { dataSourceOf, objectsOf, type TargetKind, type UploadFlags, type UploadTarget } from './objects';
import { bytesText, progressText } from '../../api/progress-text';
import { optional, proxyOf } from './proxy';
import { askOffset, send, type Proxy, type ProxyAnswer } from './send';

type Claim = KubeObject & { spec?: core.PersistentVolumeClaimSpec };
type DataVolume = cdi.DataVolume & KubeObject;

const CREATED: Readonly<Record<string, Resource>> = {
  DataVolume: resources.dataVolumes,
  VolumeUploadSource: resources.volumeUploadSources,
  PersistentVolumeClaim: resources.persistentVolumeClaims,
};
const PROGRESS_MS = 1000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;

/** Uploads a file. Everything that can be checked is checked before anything is created. */
export async function runImageUpload(
  connection: Connection,
  kind: string | undefined,
  given: string | undefined,
  flags: UploadFlags,
): Promise<void> {
  const target = targetOf(connection, kind, given, flags);
  const path = flags.imagePath ?? flags.archivePath;
  if (!path || (flags.imagePath && flags.archivePath))
    throw new CliError('give one of --image-path and --archive-path');
  const { image, file } = await openImage(path, flags.archivePath !== undefined);
  try {
    const size = flags.size ?? flags.pvcSize;
    const proxy = await proxyOf(connection, flags);
    await prepare(connection, target, flags, image, size);
    await untilReady(connection, target, flags);
    await upload(connection, target, { proxy, flags, image, file });
    await untilComplete(connection, target, flags);
    if (flags.datasource) await createDataSource(connection, target, flags);
    console.log(`uploaded ${image.path} into ${target.kind} ${target.namespace}/${target.name}`);
  } finally {
    await file.close();
  }
}

function targetOf(
  { namespace }: Connection,
  kind: string | undefined,
  name: string | undefined,
  { pvcName }: UploadFlags,
): UploadTarget {
  if (pvcName && !kind) return { kind: 'pvc', name: pvcName, namespace };
  if ((kind !== 'dv' && kind !== 'pvc') || !name) {
    throw new CliError('write what to upload into: image-upload dv NAME, or image-upload pvc NAME');
  }
  return { kind: kind as TargetKind, name, namespace };
}

/** Checks the target and the rights of the user, and creates what is missing. */
async function prepare(
  connection: Connection,
  target: UploadTarget,
  flags: UploadFlags,
  image: ImageFile,
  size: string | undefined,
): Promise<void> {
  const { kind, name, namespace } = target;
  await mayUpload(connection, namespace);
  const resource = kind === 'dv' ? resources.dataVolumes : resources.persistentVolumeClaims;
  const existing = await optional<KubeObject>(connection, resource, target);
  if (!flags.create) {
    if (!existing) throw new CliError(`${kind} ${namespace}/${name} does not exist; omit --no-create to create it`);
    fits(image, sizeOf(existing));
    return kind === 'pvc' ? requestUpload(connection, target, existing, flags) : undefined;
  }
  if (existing) {
    // an upload that was interrupted continues
    if (isWaiting(existing)) return fits(image, sizeOf(existing));
    throw new CliError(`${kind} ${namespace}/${name} exists; delete it, or choose another name`);
  }
  if (!size) throw new CliError(`--size is missing; the image needs ${bytesText(image.virtualSize ?? image.size)}`);
  fits(image, size);
  for (const object of objectsOf(target, flags, size)) {
    const created = CREATED[object.kind]!;
    await connection.request('POST', pathOf(created, { namespace }), object);
    console.log(`created ${object.kind} ${namespace}/${name}`);
  }
}

async function mayUpload(connection: Connection, namespace: string): Promise<void> {
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    metadata: {},
    spec: {
      resourceAttributes: {
        group: kinds.UploadTokenRequest.group,
        resource: kinds.UploadTokenRequest.plural,
        verb: 'create',
        namespace,
      },
    },
  };
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const { status } = await connection.request<{ status?: { allowed?: boolean } }>('POST', path, review);
  if (status?.allowed) return;
  throw new CliError(
    `you may not upload in namespace ${namespace}; ask for the verb "create" on uploadtokenrequests.upload.cdi.kubevirt.io ` +
      '(roles cdi.kubevirt.io:edit and cdi.kubevirt.io:admin have it)',
  );
}

function sizeOf(object: KubeObject): string | undefined {
  const { spec } = object as unknown as {
    spec?: { storage?: Requests; pvc?: Requests } & Requests;
  };
  const requests = spec?.storage ?? spec?.pvc ?? spec;
  const storage = requests?.resources?.requests?.storage;
  return storage === undefined ? undefined : String(storage);
}

interface Requests {
  readonly resources?: { readonly requests?: { readonly storage?: unknown } };
}

/** Whether an upload into the object has not been completed. */
function isWaiting(object: KubeObject): boolean {
  if (object.kind === 'DataVolume') {
    const { spec, status } = object as DataVolume;
    return spec.source?.upload !== undefined && status?.phase !== 'Succeeded';
  }
  const { spec } = object as Claim;
  return awaitsUpload(object) || (isPopulated(object) && !spec?.volumeName);
}

/** Whether an upload fills the claim before it is bound. */
const isPopulated = ({ spec }: Claim): boolean => spec?.dataSourceRef?.kind === kinds.VolumeUploadSource.kind;

/** Requests an upload into the volume of a claim that was created for something else, as virtctl does. */
async function requestUpload(
  connection: Connection,
  { namespace, name }: UploadTarget,
  claim: Claim,
  { archivePath, forceBind }: UploadFlags,
): Promise<void> {
  if (isPopulated(claim) || awaitsUpload(claim)) return;
  const { kind } = claim.spec?.dataSourceRef ?? claim.spec?.dataSource ?? {};
  if (kind) {
    throw new CliError(
      `pvc ${namespace}/${name} gets its content from a ${kind}; choose another name to create a claim`,
    );
  }
  if (claim.metadata.annotations?.[keys.podPhase] === 'Succeeded') {
    throw new CliError(`pvc ${namespace}/${name} has its content already; delete it, or choose another name`);
  }
  const annotations = {
    [keys.uploadTarget]: '',
    [keys.contentType]: archivePath ? 'archive' : 'kubevirt',
    ...(forceBind && { [keys.bindImmediate]: '' }),
  };
  const path = pathOf(resources.persistentVolumeClaims, { namespace, name });
  const body = { metadata: { uid: claim.metadata.uid, annotations } };
  await connection.request('PATCH', path, body, { contentType: 'application/merge-patch+json' });
}

function fits({ path, format, virtualSize }: ImageFile, size: string | undefined): void {
  if (virtualSize === undefined || size === undefined) return;
  const most = Number(quantityValue(size));
  if (virtualSize <= most) return;
  throw new CliError(
    `the disk in ${path} (${format}) has ${bytesText(virtualSize)}, and the volume only ${bytesText(most)}; give a larger --size`,
  );
}

async function untilReady(connection: Connection, target: UploadTarget, { waitSecs }: UploadFlags): Promise<void> {
  const { kind, namespace, name } = target;
  const options = { timeoutMs: waitSecs * 1000 };
  console.log(`waiting until the upload server of ${namespace}/${name} is ready`);
  try {
    if (kind === 'dv') {
      const isReady = ({ status }: DataVolume): boolean => status?.phase === 'UploadReady';
      await waitFor<DataVolume>(connection, resources.dataVolumes, { namespace, name }, isReady, options);
    } else {
      const isReady = ({ metadata }: Claim): boolean => metadata.annotations?.[keys.podReady] === 'true';
      await waitFor<Claim>(connection, resources.persistentVolumeClaims, { namespace, name }, isReady, options);
    }
  } catch (error) {
    throw new CliError(`${messageOf(error)}; ${await reasonOf(connection, target)}`);
  }
}

async function untilComplete(connection: Connection, target: UploadTarget, { waitSecs }: UploadFlags): Promise<void> {
  const { kind, namespace, name } = target;
  const timeoutMs = waitSecs * 1000;
  if (kind === 'dv') {
    const isDone = ({ status }: DataVolume): boolean => status?.phase === 'Succeeded';
    await waitFor<DataVolume>(connection, resources.dataVolumes, { namespace, name }, isDone, { timeoutMs });
    return;
  }
  const isDone = (claim: Claim): boolean => !awaitsUpload(claim) && Boolean(claim.spec?.volumeName);
  await waitFor<Claim>(connection, resources.persistentVolumeClaims, { namespace, name }, isDone, { timeoutMs });
}

/** Cause for which the upload server does not run, as the claim reports it. */
async function reasonOf(connection: Connection, target: UploadTarget): Promise<string> {
  const claim = await optional<Claim>(connection, resources.persistentVolumeClaims, target);
  const message = claim?.metadata.annotations?.[keys.runningMessage];
  if (message) return message;
  return claim && !claim.metadata.annotations?.[keys.podPhase]
    ? 'its storage class waits for the first Pod that uses the volume; give --force-bind'
    : 'see the events of the claim';
}

interface Work {
  readonly proxy: Proxy;
  readonly flags: UploadFlags;
  readonly image: ImageFile;
  readonly file: FileHandle;
}

/** Sends the file; after a broken connection, the part that has not arrived. */
async function upload(connection: Connection, target: UploadTarget, work: Work): Promise<void> {
  const { retry, archivePath } = work.flags;
  const path = archivePath ? '/v1beta1/upload-archive' : '/v1beta1/upload';
  for (let attempt = 0; ; attempt++) {
    let problem: string;
    try {
      const answer = await attemptUpload(connection, target, path, work);
      if (answer.code === 200) return;
      problem = `the upload proxy answered ${answer.code}: ${answer.text}`;
      // the content is rejected, or the user
      if (!mayPass(answer.code)) throw new CliError(problem);
      if (answer.code === 409 && (await isFinished(connection, target))) return;
    } catch (error) {
      // a server that starts again is unavailable for a moment
      if (error instanceof CliError || (error instanceof ApiError && !mayPass(error.code))) throw error;
      problem = messageOf(error);
      if (isUntrusted(error)) {
        throw new CliError(
          `the certificate of the upload proxy ${work.proxy.url} is not trusted: ${problem}; check the address, or give --insecure`,
        );
      }
    }
    if (attempt >= retry) throw new CliError(`${problem}; run the command again to continue the upload`);
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
    console.error(`${problem}; continuing in ${pauseMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Whether a request that was answered with this status may succeed later. */
export const mayPass = (code: number): boolean => [409, 429, 502, 503, 504].includes(code);

const isUntrusted = (error: unknown): boolean =>
  /^(?:ERR_TLS|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/.test((error as NodeJS.ErrnoException)?.code ?? '');

async function isFinished(connection: Connection, target: UploadTarget): Promise<boolean> {
  const claim = await optional<Claim>(connection, resources.persistentVolumeClaims, target);
  if (!claim) return false;
  const isFilled = claim.metadata.annotations?.[keys.podPhase] === 'Succeeded';
  return isFilled || (isPopulated(claim) && Boolean(claim.spec?.volumeName));
}

async function attemptUpload(
  connection: Connection,
  { name, namespace }: UploadTarget,
  path: string,
  { proxy, image, file }: Work,
): Promise<ProxyAnswer> {
  // each attempt has its own token, which can be used once
  const request = {
    apiVersion: 'upload.cdi.kubevirt.io/v1beta1',
    kind: 'UploadTokenRequest',
    metadata: { name, namespace },
    spec: { pvcName: name },
  };
  const { status } = await connection.request<{ status?: { token?: string } }>(
    'POST',
    pathOf(resources.uploadTokenRequests, { namespace }),
    request,
  );
  const token = status?.token ?? '';
  const { code, text, offset } = await askOffset(proxy, path, token, image);
  if (code !== 200) return { code, text, offset };
  const from = offset <= image.size ? offset : 0;
  if (from > 0) console.log(`${bytesText(from)} have arrived before; continuing there`);
  let done = from;
  const started = performance.now();
  let shown: number | undefined;
  const show = (): void => {
    if (shown === done) return;
    shown = done;
    printOver(progressText(done, image.size, from, performance.now() - started));
    if (done === image.size) console.log(process.stdout.isTTY ? '\nconverting the image' : 'converting the image');
  };
  const timer = setInterval(show, PROGRESS_MS);
  try {
    return await send(proxy, path, token, { image, file, offset: from }, (bytes) => (done += bytes));
  } finally {
    clearInterval(timer);
    show();
  }
}

/** On a terminal, the line is replaced by the next. */
const printOver = (text: string): void =>
  void (process.stdout.isTTY ? process.stdout.write(`\r\x1b[K${text}`) : console.log(text));

async function createDataSource(connection: Connection, target: UploadTarget, flags: UploadFlags): Promise<void> {
  const { namespace } = target;
  if (await optional(connection, resources.dataSources, target)) return;
  await connection.request('POST', pathOf(resources.dataSources, { namespace }), dataSourceOf(target, flags));
  console.log(`created DataSource ${namespace}/${target.name}`);
}
