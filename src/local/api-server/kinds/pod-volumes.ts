import { tryParseQuantity } from '../../../api/quantity';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { isDns1123Label } from '../validation/names';
import { validateEnvSource } from './container-validation';
import { validateClaimSpec } from './claim-validation';

type Volume = AnyObject['spec'];

/** Fields without which a volume source means nothing. */
const REQUIRED: Record<string, readonly string[]> = {
  hostPath: ['path'],
  secret: ['secretName'],
  configMap: ['name'],
  persistentVolumeClaim: ['claimName'],
  nfs: ['server', 'path'],
  csi: ['driver'],
  image: ['reference'],
};
export const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];
const MAX_MODE = 0o777;
const MIN_TOKEN_SECONDS = 600;

/** Validates a Pod's volumes. Returns the names of those that are valid: containers can mount them. */
export function validateVolumes(volumes: readonly Volume[], fields: Fields): Set<string> {
  const names = new Set<string>();
  const valid = new Set<string>();
  volumes.forEach((volume, i) => {
    const at = fields.index(i);
    const before = fields.causes.length;
    const { name, ...sources } = volume;
    validateSources(sources, at);
    if (!name) at.child('name').required();
    else {
      const wrong = isDns1123Label(name);
      at.child('name').invalidEach(name, wrong);
      if (!wrong.length && names.has(name)) at.child('name').duplicate(name);
      names.add(name);
    }
    if (fields.causes.length === before) valid.add(name);
  });
  return valid;
}

function validateSources(sources: Volume, at: Fields): void {
  const given = Object.keys(sources);
  if (!given.length) at.required('must specify a volume type');
  given.slice(1).forEach((source) => at.child(source).forbidden('may not specify more than 1 volume type'));
  const [type] = given;
  if (type === undefined) return;
  const source: Volume = sources[type];
  const here = at.child(type);
  for (const field of REQUIRED[type] ?? []) if (!source[field]) here.child(field).required();
  RULES[type]?.(source, here);
}

const RULES: Readonly<Record<string, (source: Volume, at: Fields) => void>> = {
  hostPath({ path = '', type = '' }, at) {
    if (path.split('/').includes('..')) at.child('path').invalid(path, "must not contain '..'");
    if (!HOST_PATH_TYPES.includes(type)) at.child('type').notSupported(type, HOST_PATH_TYPES);
  },
  emptyDir({ sizeLimit }, at) {
    if ((tryParseQuantity(sizeLimit)?.nanos ?? 0n) < 0n) {
      at.child('sizeLimit').forbidden('SizeLimit field must be a valid resource quantity');
    }
  },
  secret: validateFiles,
  configMap: validateFiles,
  nfs({ path = '' }, at) {
    if (!path.startsWith('/')) at.child('path').invalid(path, 'must be an absolute path');
  },
  downwardAPI({ items = [], defaultMode }, at) {
    validateMode(defaultMode, at.child('defaultMode'));
    for (const item of items as Volume[]) validateDownwardItem(item, at);
  },
  ephemeral({ volumeClaimTemplate }, at) {
    const template = at.child('volumeClaimTemplate');
    if (volumeClaimTemplate) validateClaimSpec(volumeClaimTemplate.spec, template.child('spec'));
    else template.required();
  },
  projected({ sources = [], defaultMode }, at) {
    validateMode(defaultMode, at.child('defaultMode'));
    validateProjected(sources, at);
  },
};

function validateMode(mode: number | undefined, at: Fields): void {
  if (mode === undefined || (mode >= 0 && mode <= MAX_MODE)) return;
  at.invalid(mode, 'must be a number between 0 and 0777 (octal), both inclusive');
}

function validatePath(path: string, at: Fields): void {
  if (!path) at.required();
  else if (path.startsWith('/')) at.invalid(path, 'must be a relative path');
  else if (path.split('/').includes('..')) at.invalid(path, "must not contain '..'");
  else if (path.startsWith('..')) at.invalid(path, "must not start with '..'");
}

function validateItems(items: readonly { key?: string; path?: string; mode?: number }[], at: Fields): void {
  items.forEach(({ key, path = '', mode }, i) => {
    const here = at.child('items').index(i);
    if (!key) here.child('key').required();
    validatePath(path, here.child('path'));
    validateMode(mode, here.child('mode'));
  });
}

/** Files from the keys of a Secret or ConfigMap. */
function validateFiles({ items = [], defaultMode }: Volume, at: Fields): void {
  validateMode(defaultMode, at.child('defaultMode'));
  validateItems(items, at);
}

const DOWNWARD = /^metadata\.(annotations|labels|name|namespace|uid)$/;

/** Kubernetes reports the mistakes in an item at the volume. */
function validateDownwardItem({ path = '', mode, fieldRef, resourceFieldRef }: Volume, at: Fields): void {
  validatePath(path, at.child('path'));
  if (fieldRef && !DOWNWARD.test(fieldRef.fieldPath ?? '')) validateEnvSource({ fieldRef }, at);
  if (resourceFieldRef) {
    if (!resourceFieldRef.containerName) at.child('resourceFieldRef', 'containerName').required();
    else validateEnvSource({ resourceFieldRef }, at);
    if (fieldRef) at.invalid('resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
  } else if (!fieldRef) at.required('one of fieldRef and resourceFieldRef is required');
  validateMode(mode, at.child('mode'));
}

function validateProjected(sources: Volume[], at: Fields): void {
  const paths = new Set<string>();
  sources.forEach((source, i) => {
    const here = at.child('sources').index(i);
    const given = Object.keys(source);
    given.slice(1).forEach((name) => here.child(name).forbidden('may not specify more than 1 volume type'));
    for (const type of ['secret', 'configMap']) {
      if (!source[type]) continue;
      if (!source[type].name) here.child(type, 'name').required();
      validateItems(source[type].items ?? [], here.child(type));
    }
    for (const item of (source.downwardAPI?.items ?? []) as Volume[])
      validateDownwardItem(item, here.child('downwardAPI'));
    const token = source.serviceAccountToken;
    if (token) {
      if (token.expirationSeconds < MIN_TOKEN_SECONDS) {
        const why = 'may not specify a duration less than 10 minutes';
        here.child('serviceAccountToken', 'expirationSeconds').invalid(token.expirationSeconds, why);
      }
      if (!token.path) at.child('path').required();
    }
    const items: { path?: string }[] = (source.secret ?? source.configMap ?? source.downwardAPI)?.items ?? [];
    for (const path of [...items.map((item) => item.path), token?.path as string | undefined]) {
      if (!path) continue;
      if (paths.has(path))
        at.invalid(source.secret?.name ?? source.configMap?.name ?? path, 'conflicting duplicate paths');
      paths.add(path);
    }
  });
}

/** Validates `volumeDevices` of a container: each is a claim, and neither its name nor its path is mounted too. */
export function validateDevices(
  { volumeDevices = [], volumeMounts = [] }: Volume,
  volumes: readonly Volume[],
  valid: ReadonlySet<string>,
  at: Fields,
): void {
  const paths = new Set<string>();
  (volumeDevices as { name?: string; devicePath?: string }[]).forEach(({ name = '', devicePath = '' }, i) => {
    const here = at.index(i);
    const volume = volumes.find((item) => item.name === name);
    if (!name) here.child('name').required();
    if (!valid.has(name)) here.child('name').notFound(name);
    else if (!volume?.persistentVolumeClaim && !volume?.ephemeral) {
      const why = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      here.child('name').invalid(name, why);
    }
    const mounts = volumeMounts as { name?: string; mountPath?: string }[];
    if (mounts.some((mount) => name && mount.name === name)) {
      here.child('name').invalid(name, 'must not already exist in volumeMounts');
    }
    if (!devicePath) here.child('devicePath').required();
    else if (paths.has(devicePath)) here.child('devicePath').invalid(devicePath, 'must be unique');
    else if (mounts.some((mount) => mount.mountPath === devicePath)) {
      here.child('devicePath').invalid(devicePath, 'must not already exist as a path in volumeMounts');
    }
    paths.add(devicePath);
  });
}
