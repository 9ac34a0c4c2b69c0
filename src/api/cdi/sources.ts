import { Finding, type Message, named, Path, text, withoutCredentials, type RuleId } from '../findings';
import type {
  DataVolumeSource,
  DataVolumeSourceImageIO,
  DataVolumeSourceRegistry,
  DataVolumeSourceVDDK,
} from '../generated/cdi-v1beta1';
import { first, refusal, when } from '../kinds/refusal';
import { parseChecksum } from './checksum';
import { parseUrl } from './url';

/** Path of a spec, and CDI's name of that path in its causes. */
export interface CdiField {
  readonly at: Path;
  readonly field: string;
}

/** Returns the place of a part; `named` is CDI's name of it, where that differs. */
export function inside(
  { at, field }: CdiField,
  parts: readonly (string | number)[],
  named = parts.join('.'),
): CdiField {
  return { at: at.at(...parts), field: `${field}.${named}` };
}

/** Returns a finding at a place. */
export function mistakeAt(
  place: CdiField,
  rule: RuleId,
  message: string | Message,
  remedy: string | Message,
  extra: Pick<Finding, 'value' | 'allowed' | 'type'> = {},
): Finding[] {
  return [refusal(rule, place.at, message, remedy, { ...extra, field: place.field })];
}

/** There must be exactly one source. */
export function oneSource(source: object, kind: string, spec: CdiField): Finding[] {
  const given = Object.keys(source);
  const place = inside(spec, ['source']);
  if (given.length === 0) {
    return mistakeAt(place, 'source-one', `Missing ${kind} source`, 'add a source, for example blank: {}');
  }
  return given.length === 1
    ? []
    : mistakeAt(place, 'source-one', `Multiple ${kind} sources`, 'keep one', { value: given });
}

/** The content must be a disk, or a tar archive of files. */
export function contentTypeIsKnown(contentType: string | undefined, spec: CdiField): Finding[] {
  const allowed = ['kubevirt', 'archive'];
  if (!contentType || allowed.includes(contentType)) return [];
  return mistakeAt(
    inside(spec, ['contentType']),
    'content-type',
    'ContentType not one of: kubevirt, archive',
    'use one of the allowed values',
    { value: contentType, allowed },
  );
}

/** Validates the required fields of each source. Returns the findings of the first check that has any. */
export function sourceRules(source: DataVolumeSource, contentType: string | undefined, spec: CdiField): Finding[] {
  return first(
    () => (source.http ? http(source.http, spec) : []),
    () => (source.s3 ? urlOf(source.s3.url, 's3', 'S3', spec) : []),
    () => (source.gcs ? urlOf(source.gcs.url, 'gcs', 'GCS', spec) : []),
    () => (source.blank && contentType === 'archive' ? blankArchive(spec) : []),
    () => (source.registry ? registry(source.registry, contentType, spec) : []),
    () => (source.imageio ? imageio(source.imageio, spec) : []),
    () => (source.vddk ? vddk(source.vddk, spec) : []),
  );
}

function blankArchive(spec: CdiField): Finding[] {
  return mistakeAt(
    inside(spec, ['contentType']),
    'source-blank-archive',
    text`SourceType cannot be blank and the ${named(inside(spec, ['contentType']).at, 1)} be archive`,
    text`remove ${named(inside(spec, ['contentType']).at, 1)}`,
  );
}

function http(source: { url: string; checksum?: string }, spec: CdiField): Finding[] {
  return [...urlOf(source.url, 'http', 'HTTP', spec), ...checksum(source.checksum, spec)];
}

function urlOf(url: string | undefined, own: string, named: string, spec: CdiField): Finding[] {
  const problem = urlProblem(url ?? '');
  if (problem === undefined) return [];
  return mistakeAt(
    inside(spec, ['source', own, 'url'], `source.${named}.url`),
    'source-url',
    `${spec.field}.source ${problem}`,
    'write a complete URL, like https://example.com/disk.qcow2',
    { value: url && withoutCredentials(url) },
  );
}

function urlProblem(url: string): string | undefined {
  if (url === '') return 'source URL is empty';
  const parsed = parseUrl(url, true);
  if (!parsed) return `Invalid source URL: ${withoutCredentials(url)}`;
  return ['http', 'https', 'gs'].includes(parsed.scheme)
    ? undefined
    : `Invalid source URL scheme: ${withoutCredentials(url)}`;
}

function checksum(text: string | undefined, spec: CdiField): Finding[] {
  if (!text) return [];
  const { problem } = parseChecksum(text);
  if (problem === undefined) return [];
  return mistakeAt(
    inside(spec, ['source', 'http', 'checksum'], 'source.HTTP.checksum'),
    'source-checksum',
    `Invalid checksum format: ${problem}`,
    'write sha256: and 64 hexadecimal digits',
    { value: text },
  );
}

function registry(source: DataVolumeSourceRegistry, contentType: string | undefined, spec: CdiField): Finding[] {
  const { url, imageStream, pullMethod } = source;
  const part = (own: string, named: string): CdiField =>
    inside(spec, ['source', 'registry', own], `source.Registry.${named}`);
  const whole = inside(spec, ['source', 'registry'], 'source.Registry');
  if (contentType && contentType !== 'kubevirt') {
    return mistakeAt(
      inside(spec, ['contentType']),
      'source-registry-content',
      'ContentType must be kubevirt when Source is Registry',
      text`remove ${named(inside(spec, ['contentType']).at, 1)}`,
      { value: contentType },
    );
  }
  if ((url === undefined) === (imageStream === undefined)) {
    const message = 'Source registry should have either URL or ImageStream';
    return mistakeAt(whole, 'source-registry-one', message, 'write url: docker://…');
  }
  const scheme = url === undefined ? undefined : parseUrl(url);
  const wrongUrl = url === undefined ? undefined : registryUrlProblem(url, scheme?.scheme);
  if (wrongUrl) {
    const isShort = /^docker:\/\/[^/\s]+$/.test(url ?? '');
    const remedy = isShort
      ? 'write the image with its registry, such as docker://quay.io/containerdisks/fedora:42'
      : 'write docker://… or oci-archive://…';
    return mistakeAt(part('url', 'URL'), 'source-registry-url', wrongUrl, remedy, {
      value: url && withoutCredentials(url),
    });
  }
  if (pullMethod !== undefined && !['pod', 'node'].includes(pullMethod)) {
    return mistakeAt(
      part('pullMethod', 'importMethod'),
      'source-registry-pull',
      `ImportMethod ${pullMethod} is neither pod, node or ""`,
      'use one of the allowed values',
      { value: pullMethod, allowed: ['pod', 'node'] },
    );
  }
  if (imageStream === '') {
    const message = 'Source registry ImageStream is not valid';
    return mistakeAt(
      part('imageStream', 'importMethod'),
      'source-registry-stream',
      message,
      'write the name of the image stream',
    );
  }
  if (imageStream !== undefined && pullMethod !== 'node') {
    return mistakeAt(
      part('pullMethod', 'importMethod'),
      'source-registry-stream',
      'Source registry ImageStream is supported only with node pull import method',
      'write pullMethod: node',
      { value: pullMethod },
    );
  }
  return [];
}

function registryUrlProblem(url: string, scheme: string | undefined): string | undefined {
  if (scheme === undefined) return `Illegal registry source URL ${withoutCredentials(url)}`;
  return ['docker', 'oci-archive'].includes(scheme)
    ? undefined
    : `Illegal registry source URL scheme ${withoutCredentials(url)}`;
}

function imageio(source: DataVolumeSourceImageIO, spec: CdiField): Finding[] {
  const place = inside(spec, ['source', 'imageio'], 'source.Imageio');
  return first(
    () =>
      when(
        !source.secretRef || !source.diskId,
        ...mistakeAt(place, 'source-imageio', `${place.field} source Imageio is not valid`, 'set secretRef and diskId'),
      ),
    () =>
      when(
        !source.certConfigMap && !source.insecureSkipVerify,
        ...mistakeAt(
          place,
          'source-imageio-trust',
          `${place.field} source Imageio requires CertConfigMap or InsecureSkipVerify`,
          'set certConfigMap',
        ),
      ),
    () => urlOf(source.url, 'imageio', 'ImageIO', spec),
  );
}

function vddk(source: DataVolumeSourceVDDK, spec: CdiField): Finding[] {
  const place = inside(spec, ['source', 'vddk'], 'source.VDDK');
  return first(
    () =>
      when(
        !source.secretRef || !source.uuid || !source.backingFile || !source.thumbprint,
        ...mistakeAt(
          place,
          'source-vddk',
          `${place.field} source VDDK is not valid`,
          'set secretRef, uuid, backingFile and thumbprint',
        ),
      ),
    () => urlOf(source.url, 'vddk', 'VDDK', spec),
  );
}
