/** Claims and their data sources. Pure. */
import { call, type Expression, list, object, value } from '../expression';
import type { Surroundings } from './kind';
import { choice, choices, each, type Fields, fieldsOf, flag, named, onlyKey, size, text, texts } from './values';

/** Data source with the arguments of `DataVolumeSource.http(url, options)` and `Disk.http(url, size, options)`. */
export interface Source {
  /** Name of the factory. */
  readonly factory: string;
  readonly subject?: Expression;
  readonly options: Readonly<Record<string, Expression | undefined>>;
  /** Whether the source is a copy: its size is known. */
  readonly isCopy?: boolean;
}

const secret = (around: Surroundings, given: unknown): Expression | undefined => named(around, 'Secret', given);
const trust = (around: Surroundings, given: unknown): Expression | undefined => named(around, 'ConfigMap', given);
const CLAIMS = ['PersistentVolumeClaim', 'DataVolume'];

/** Data source of a DataVolume; undefined if no factory renders it. */
export function sourceOf(spec: Fields, around: Surroundings): Source | undefined {
  if (spec.sourceRef !== undefined) return copyOf('dataSource', 'DataSource', fieldsOf(spec.sourceRef), around);
  const key = onlyKey(spec.source);
  const fields = fieldsOf(fieldsOf(spec.source)[key ?? '']);
  const { url, certConfigMap, secretRef } = fields;
  const common = { credentials: secret(around, secretRef), certConfigMap: trust(around, certConfigMap) };
  switch (key) {
    case 'blank':
    case 'upload':
      return { factory: key, options: {} };
    case 'http':
      return {
        factory: 'http',
        subject: text(url),
        options: {
          ...common,
          checksum: text(fields.checksum),
          extraHeaders: texts(fields.extraHeaders),
          secretHeaders: secrets(around, fields.secretExtraHeaders),
          insecureSkipVerify: flag(fields.insecureSkipVerify),
        },
      };
    case 's3':
    case 'gcs':
      return { factory: key, subject: text(url), options: common };
    case 'registry':
      return registry(fields, common, around);
    case 'imageio':
      return {
        factory: 'imageio',
        subject: text(url),
        options: {
          ...common,
          diskId: text(fields.diskId),
          insecureSkipVerify: flag(fields.insecureSkipVerify),
        },
      };
    case 'vddk':
      return {
        factory: 'vddk',
        subject: text(url),
        options: {
          ...common,
          backingFile: text(fields.backingFile),
          uuid: text(fields.uuid),
          thumbprint: text(fields.thumbprint),
          initImageUrl: text(fields.initImageURL),
          extraArgs: trust(around, fields.extraArgs),
        },
      };
    case 'pvc':
      return copyOf('claim', CLAIMS, fields, around);
    case 'snapshot':
      return copyOf('snapshot', 'VolumeSnapshot', fields, around);
    default:
      return undefined;
  }
}

function secrets(around: Surroundings, given: unknown): Expression | undefined {
  if (!Array.isArray(given) || !given.every((item): item is string => typeof item === 'string')) return undefined;
  return list(given.map((name) => around.reference('Secret', name)));
}

function registry(
  fields: Fields,
  common: Readonly<Record<string, Expression | undefined>>,
  around: Surroundings,
): Source {
  const { url, imageStream, pullMethod, platform } = fields;
  const options = { ...common, architecture: text(fieldsOf(platform).architecture) };
  if (imageStream !== undefined) {
    const method = pullMethod === 'node' ? undefined : choice(around, 'PullMethod', pullMethod);
    return { factory: 'imageStream', subject: text(imageStream), options: { pullMethod: method, ...options } };
  }
  const image = typeof url === 'string' ? url.replace(/^docker:\/\/(?!.*:\/\/)/, '') : undefined;
  return {
    factory: 'registry',
    subject: text(image),
    options: { pullMethod: choice(around, 'PullMethod', pullMethod), ...options },
  };
}

function copyOf(factory: string, kinds: string | readonly string[], fields: Fields, around: Surroundings): Source {
  const { name, namespace } = fields;
  const own = around.object.namespace;
  const where = typeof namespace === 'string' ? namespace : undefined;
  const subject = named(around, kinds, name, where);
  // a constant renders its namespace; a sourceRef may lack one
  const known = subject?.type === 'variable' || (factory !== 'dataSource' && where === own);
  return { factory, subject, options: { namespace: known ? undefined : text(where) }, isCopy: true };
}

/** Expression such as `DataVolumeSource.http(…)`. */
export function sourceExpression(spec: Fields, around: Surroundings): Expression | undefined {
  const source = sourceOf(spec, around);
  if (source && (source.subject || ['blank', 'upload'].includes(source.factory))) {
    const made = call(`DataVolumeSource.${source.factory}`, source.subject, object(source.options));
    const wanted = spec.sourceRef === undefined ? { source: spec.source } : { sourceRef: spec.sourceRef };
    const exact = around.exact<{ _render(namespace?: string): unknown }>(made, wanted, (each) =>
      each._render(around.object.namespace),
    );
    if (exact) return exact;
  }
  const { dataSourceRef } = fieldsOf(spec.storage ?? spec.pvc);
  if (spec.source === undefined && spec.sourceRef === undefined && dataSourceRef !== undefined) {
    const { apiGroup, kind, name, namespace } = fieldsOf(dataSourceRef);
    if (typeof kind !== 'string' || typeof name !== 'string') return undefined;
    const reference = { apiGroup: text(apiGroup), kind: value(kind), name: value(name), namespace: text(namespace) };
    return call('DataVolumeSource.populator', object(reference));
  }
  return onlyKey(spec.source) === undefined ? undefined : call('DataVolumeSource.of', value(spec.source));
}

/** Size and options of a claim, for DataVolumes and disks. */
export function claimOf(
  spec: Fields,
  around: Surroundings,
): { readonly size?: Expression; readonly options: Readonly<Record<string, Expression | undefined>> } {
  const exact = spec.pvc !== undefined;
  const claim = fieldsOf(exact ? spec.pvc : spec.storage);
  const { requests, limits } = fieldsOf(claim.resources);
  return {
    size: size(fieldsOf(requests).storage),
    options: {
      exact: exact ? value(true) : undefined,
      storageClassName: text(claim.storageClassName),
      accessModes: choices(around, 'AccessMode', claim.accessModes),
      volumeMode: choice(around, 'VolumeMode', claim.volumeMode),
      sizeLimit: size(fieldsOf(limits).storage),
      selector: claim.selector === undefined ? undefined : value(claim.selector),
      volumeName: text(claim.volumeName),
      volumeAttributesClassName: text(claim.volumeAttributesClassName),
      content: choice(around, 'DiskContent', spec.contentType),
      preallocation: flag(spec.preallocation),
      priorityClassName: text(spec.priorityClassName),
      serviceAccount: named(around, 'ServiceAccount', spec.serviceAccountName),
      checkpoints: each(spec.checkpoints, ({ current, previous }) =>
        typeof current === 'string'
          ? object({ current: value(current), previous: previous === '' ? undefined : text(previous) })
          : undefined,
      ),
      finalCheckpoint: flag(spec.finalCheckpoint),
    },
  };
}
