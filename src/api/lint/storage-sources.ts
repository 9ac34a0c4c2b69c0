/** Rules between DataVolumes and their sources, and between DataSources and the DataImportCrons that manage them. */
import { mistake } from '../admission/rule';
import { type Finding, type Path, root } from '../findings';
import { kindOf } from '../kinds/registry';
import type { KubeObject } from '../meta';
import { compareQuantities, tryParseQuantity } from '../quantity';
import { describeObject } from './network-guests';
import { isObject, type Json, read, textAt, textsAt } from './read';
import type { DiskOwner } from './storage-guests';
import type { Declared, World } from './world';

/** Spec of a DataVolume, and its path in the object. */
export interface Filled {
  readonly spec: Json;
  readonly at: Path;
}

/** Returns the DataVolumes of an object: itself, those of a VM or pool, or the imports of a cron. */
export function filledBy(object: KubeObject, owner: DiskOwner | undefined): Filled[] {
  const one = (spec: unknown, at: Path): Filled[] => (isObject(spec) ? [{ spec, at }] : []);
  if (owner) return owner.templates.flatMap(({ spec }, i) => one(spec, owner.templatesAt.at(i, 'spec')));
  const kind = kindOf(object);
  if (kind === 'DataVolume') return one(read(object, 'spec'), root.at('spec'));
  if (kind !== 'DataImportCron') return [];
  return one(read(object, 'spec', 'template', 'spec'), root.at('spec', 'template', 'spec'));
}

/** Requested size of a claim, and its form: CDI adds file system overhead only to `storage`. */
interface Sized {
  readonly form: 'pvc' | 'storage';
  readonly size: string | number;
}

function sizeOf(spec: unknown, form: Sized['form'], ...fields: string[]): Sized | undefined {
  const size = read(spec, ...fields, 'resources', 'requests', 'storage');
  return typeof size === 'string' || typeof size === 'number' ? { form, size } : undefined;
}

const sizeOfDataVolume = (spec: unknown): Sized | undefined =>
  sizeOf(spec, 'pvc', 'pvc') ?? sizeOf(spec, 'storage', 'storage');

/** Reports a copy that is smaller than its source. */
export function cloneIsLargeEnough({ spec, at }: Filled, namespace: string | undefined, world: World): Finding[] {
  const target = sizeOfDataVolume(spec);
  if (!target) return [];
  const source = sourceOf(spec, namespace, world);
  if (!source || source.form !== target.form) return [];
  if (!tryParseQuantity(target.size) || !tryParseQuantity(source.size)) return [];
  if (compareQuantities(target.size, source.size) >= 0) return [];
  const path = at.at(target.form, 'resources', 'requests', 'storage');
  const message = `${target.size} is less than the ${source.size} of its source ${source.name}`;
  return mistake('clone-size', path, message, `use ${source.size} or more`, { value: target.size });
}

/** Returns the size and name of the declared source. */
function sourceOf(spec: Json, namespace: string | undefined, world: World): (Sized & { name: string }) | undefined {
  const claim = textAt(spec, 'source', 'pvc', 'name');
  if (claim !== undefined) return claimSize(claim, textAt(spec, 'source', 'pvc', 'namespace') ?? namespace, world);
  const ref = textAt(spec, 'sourceRef', 'name');
  if (ref === undefined) return undefined;
  return dataSourceSize(ref, textAt(spec, 'sourceRef', 'namespace') ?? namespace, world, 2);
}

function claimSize(name: string, namespace: string | undefined, world: World): (Sized & { name: string }) | undefined {
  const dataVolume = world.find('DataVolume', namespace, name);
  const size = dataVolume
    ? sizeOfDataVolume(read(dataVolume, 'spec'))
    : sizeOf(world.find('PersistentVolumeClaim', namespace, name), 'pvc', 'spec');
  return size && { ...size, name: `${dataVolume ? 'DataVolume' : 'PersistentVolumeClaim'} "${name}"` };
}

function dataSourceSize(
  name: string,
  namespace: string | undefined,
  world: World,
  depth: number,
): (Sized & { name: string }) | undefined {
  if (depth === 0) return undefined;
  const [cron] = cronsOf(name, namespace, world);
  if (cron) {
    const size = sizeOfDataVolume(read(cron.object(), 'spec', 'template', 'spec'));
    return size && { ...size, name: `DataImportCron "${cron.name}"` };
  }
  const source = read(world.find('DataSource', namespace, name), 'spec', 'source');
  const placed = (field: string): string | undefined => textAt(source, field, 'namespace') ?? namespace;
  const claim = textAt(source, 'pvc', 'name');
  if (claim !== undefined) return claimSize(claim, placed('pvc'), world);
  const other = textAt(source, 'dataSource', 'name');
  return other === undefined ? undefined : dataSourceSize(other, placed('dataSource'), world, depth - 1);
}

const LOGIN = ['accessKeyId', 'secretKey'];
/** Keys of a Secret that the Pod of each source reads. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  http: LOGIN,
  s3: LOGIN,
  registry: LOGIN,
  imageio: LOGIN,
  vddk: LOGIN,
  gcs: ['credentials.json'],
};

/** Reports a Secret without both keys, without which the importing Pod does not start. */
export function credentialsHaveKeys({ spec, at }: Filled, namespace: string | undefined, world: World): Finding[] {
  // a node pulls with credentials of another form
  if (read(spec, 'source', 'registry', 'pullMethod') === 'node') return [];
  return Object.entries(KEYS).flatMap(([kind, wanted]) => {
    const name = textAt(spec, 'source', kind, 'secretRef');
    const secret = name === undefined ? undefined : world.find('Secret', namespace, name);
    const keys = keysOf(secret);
    const missing = wanted.filter((key) => !keys.includes(key));
    // a Secret without keys is filled by another program
    if (keys.length === 0 || missing.length === 0) return [];
    const path = at.at('source', kind, 'secretRef');
    const message = `Secret "${name}" has no key ${missing.map((key) => `"${key}"`).join(' and ')}`;
    const remedy =
      kind === 'gcs'
        ? 'add credentials.json with the key of a service account'
        : 'add accessKeyId (the user) and secretKey (the password)';
    return mistake('credentials-keys', path, message, remedy, { value: keys, allowed: wanted });
  });
}

/** Reports a ConfigMap without certificates: the importer then trusts public certificate authorities only. */
export function certificatesAreThere({ spec, at }: Filled, namespace: string | undefined, world: World): Finding[] {
  return Object.keys(KEYS).flatMap((kind) => {
    const name = textAt(spec, 'source', kind, 'certConfigMap');
    const texts = name === undefined ? [] : Object.values(textsAt(world.find('ConfigMap', namespace, name), 'data'));
    // a ConfigMap without data is filled by another program
    if (texts.length === 0 || texts.some((text) => /-----BEGIN [A-Z ]*CERTIFICATE-----/.test(text))) return [];
    const path = at.at('source', kind, 'certConfigMap');
    const cause = `no value of ConfigMap "${name}" is a certificate in PEM format`;
    return mistake('certificate-content', path, cause, 'add one that begins with -----BEGIN CERTIFICATE-----');
  });
}

/** Reports a header in a Secret that CDI ignores. The message does not repeat it. */
export function secretHeadersAreRead({ spec, at }: Filled, namespace: string | undefined, world: World): Finding[] {
  const names = read(spec, 'source', 'http', 'secretExtraHeaders');
  if (!Array.isArray(names)) return [];
  return names.flatMap((name: unknown, i) => {
    const secret = typeof name === 'string' ? world.find('Secret', namespace, name) : undefined;
    const wrong = Object.entries(textsAt(secret, 'stringData')).find(([, text]) => !isHeader(text));
    if (!wrong) return [];
    const path = at.at('source', 'http', 'secretExtraHeaders', i);
    const cause = `key "${wrong[0]}" of Secret "${String(name)}" does not hold a header, and CDI ignores it`;
    return mistake('source-header', path, cause, 'write the whole header as the value: "Authorization: Bearer …"');
  });
}

/** Whether the text is a header that CDI sends: a name and a value after a colon. */
export const isHeader = (text: string): boolean => /^[!#$%&'*+.^_`|~\w-]+:/.test(text);

/** Returns the keys of a ConfigMap or Secret; an empty list when another program fills it. */
export function keysOf(object: KubeObject | undefined): string[] {
  return ['data', 'stringData', 'binaryData'].flatMap((field) => {
    const found = read(object, field);
    return isObject(found) ? Object.keys(found) : [];
  });
}

const keepers = new WeakMap<World, ReadonlyMap<string, readonly Declared[]>>();

/** Returns the crons of the app that manage this DataSource. Indexed once for each world. */
function cronsOf(dataSource: string, namespace: string | undefined, world: World): readonly Declared[] {
  let index = keepers.get(world);
  if (!index) {
    const found = new Map<string, Declared[]>();
    for (const cron of world.all('DataImportCron')) {
      const key = `${cron.namespace ?? ''} ${textAt(cron.object(), 'spec', 'managedDataSource') ?? ''}`;
      found.set(key, [...(found.get(key) ?? []), cron]);
    }
    keepers.set(world, (index = found));
  }
  return index.get(`${namespace ?? ''} ${dataSource}`) ?? [];
}

/** Reports a DataSource without a source and without a cron, or with both. */
export function dataSourceIsKept(object: KubeObject, world: World): Finding[] {
  if (kindOf(object) !== 'DataSource') return [];
  const { name = '', namespace } = object.metadata;
  const source = read(object, 'spec', 'source');
  const at = root.at('spec', 'source');
  const [cron] = cronsOf(name, namespace, world);
  const isEmpty = !isObject(source) || Object.keys(source).length === 0;
  if (isEmpty && !cron) {
    const message = `DataSource "${name}" has no source, and no DataImportCron of the app manages it`;
    const remedy =
      'name a claim, snapshot or DataSource; or remove this object: a DataImportCron creates the DataSource that it manages';
    return mistake('data-source-empty', at, message, remedy);
  }
  if (!isEmpty && cron) {
    const message = `${describeObject(cron)} manages DataSource "${name}", and overwrites this source`;
    return mistake('data-source-kept', at, message, 'remove one of them, or rename one of them');
  }
  return dataSourceEnds(source, name, namespace, world);
}

/** Reports a chain of DataSources: CDI follows one reference only. */
function dataSourceEnds(source: unknown, name: string, namespace: string | undefined, world: World): Finding[] {
  const other = textAt(source, 'dataSource', 'name');
  if (other === undefined) return [];
  const path = root.at('spec', 'source', 'dataSource', 'name');
  const place = textAt(source, 'dataSource', 'namespace') ?? namespace;
  const remedy = 'name a DataSource whose source is a claim or snapshot';
  if (other === name && place === namespace) {
    return mistake('data-source-chain', path, `DataSource "${name}" refers to itself`, remedy, { value: other });
  }
  const next = textAt(world.find('DataSource', place, other), 'spec', 'source', 'dataSource', 'name');
  if (next === undefined) return [];
  const message = `DataSource "${other}" refers to DataSource "${next}", and CDI follows only one reference`;
  return mistake('data-source-chain', path, message, remedy, { value: other });
}

/** Reports two crons that manage one DataSource and overwrite each other, at the later one. */
export function dataSourceHasOneKeeper(object: KubeObject, world: World): Finding[] {
  if (kindOf(object) !== 'DataImportCron') return [];
  const { metadata } = object;
  const got = textAt(object, 'spec', 'managedDataSource');
  const [first] = got === undefined ? [] : cronsOf(got, metadata.namespace, world);
  if (!first || first.name === metadata.name) return [];
  const message = `${describeObject(first)} also manages DataSource "${got}"`;
  const path = root.at('spec', 'managedDataSource');
  const extra = { value: got, type: 'FieldValueDuplicate' } as const;
  return mistake('data-source-keeper', path, message, 'give each DataImportCron a DataSource of its own', extra);
}
