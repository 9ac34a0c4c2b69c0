import { CLOUD_INIT_INLINE_LIMIT } from '../constants';
import type { FieldError, Path } from '../field-error';
import type { CloudInitNoCloudSource, Volume } from '../generated/kubevirt-v1';
import { isDnsLabel } from '../names';
import { quantityHint, tryParseQuantity } from '../quantity';
import { duplicates, gateOff, InstanceRule, mistake, notOneOf } from './rule';

/** Every field of a volume except its name is a source. */
export const volumeSources = [
  'containerDisk',
  'dataVolume',
  'persistentVolumeClaim',
  'cloudInitNoCloud',
  'cloudInitConfigDrive',
  'sysprep',
  'emptyDisk',
  'ephemeral',
  'hostDisk',
  'configMap',
  'secret',
  'downwardAPI',
  'serviceAccount',
  'downwardMetrics',
  'memoryDump',
  'containerPath',
] as const satisfies readonly (keyof Volume)[];

export const volumeNames: InstanceRule = (spec, at) => {
  const volumes = spec.volumes ?? [];
  const path = at.at('volumes');
  return [
    ...duplicates(volumes, ({ name }) => name).flatMap(({ key, index, first }) =>
      mistake(
        'volume-name-unique',
        path.at(index, 'name'),
        `${path.at(first)} and ${path.at(index)} must not have the same Name.`,
        'rename one of them',
        { got: key },
      ),
    ),
    ...volumes.flatMap(({ name }, i) =>
      isDnsLabel(name)
        ? []
        : mistake(
            'volume-name',
            path.at(i, 'name'),
            `"${name}" is not a DNS label (RFC 1123)`,
            'use up to 63 lower case letters, digits and dashes',
            { got: name },
          ),
    ),
  ];
};

export const volumesHaveOneSource: InstanceRule = (spec, at) =>
  (spec.volumes ?? []).flatMap((volume, i) => {
    const sources = volumeSources.filter((source) => volume[source]);
    if (sources.length === 1) return [];
    const path = at.at('volumes', i);
    const remedy = sources.length === 0 ? 'add one' : `keep one of ${sources.join(', ')}`;
    return mistake('volume-one-source', path, `${path} must have exactly one source type set`, remedy, {
      ...(sources.length === 0 ? { allowed: [...volumeSources] } : {}),
    });
  });

/** A volume of which a guest can use only one. */
export const singleVolumes: InstanceRule = (spec, at) => {
  const volumes = spec.volumes ?? [];
  const path = at.at('volumes');
  const one = (rule: string, what: string, has: (volume: Volume) => unknown): FieldError[] => {
    const found = volumes.flatMap((volume, i) => (has(volume) ? [i] : []));
    if (found.length < 2) return [];
    return mistake(
      rule,
      path,
      `${path} must have max one ${what} volume set`,
      `keep ${path.at(found[0])} and remove the others`,
    );
  };
  return [
    ...one('cloud-init-one', 'cloudInit', (v) => v.cloudInitNoCloud ?? v.cloudInitConfigDrive),
    ...one('service-account-one', 'serviceAccount', (v) => v.serviceAccount),
    ...one('memory-dump-one', 'memory dump', (v) => v.memoryDump),
    ...one('downward-metrics-one', 'downwardMetric', (v) => v.downwardMetrics),
  ];
};

/** What each source needs. */
export const volumeSourcesAreComplete: InstanceRule = (spec, at, config) =>
  (spec.volumes ?? []).flatMap((volume, i) => {
    const path = at.at('volumes', i);
    const errors: FieldError[] = [];
    if (volume.cloudInitNoCloud) errors.push(...cloudInit(volume.cloudInitNoCloud, path.at('cloudInitNoCloud')));
    if (volume.cloudInitConfigDrive)
      errors.push(...cloudInit(volume.cloudInitConfigDrive, path.at('cloudInitConfigDrive')));
    if (volume.containerDisk) errors.push(...containerDisk(volume.containerDisk, path.at('containerDisk')));
    if (volume.emptyDisk && !tryParseQuantity(volume.emptyDisk.capacity)) {
      errors.push(
        ...mistake(
          'quantity',
          path.at('emptyDisk', 'capacity'),
          `'${volume.emptyDisk.capacity}' is not a quantity`,
          `write ${quantityHint}`,
          {
            got: volume.emptyDisk.capacity,
          },
        ),
      );
    }
    errors.push(...required(path.at('configMap', 'name'), volume.configMap, volume.configMap?.name));
    errors.push(...required(path.at('secret', 'secretName'), volume.secret, volume.secret?.secretName));
    errors.push(
      ...required(
        path.at('serviceAccount', 'serviceAccountName'),
        volume.serviceAccount,
        volume.serviceAccount?.serviceAccountName,
      ),
    );
    errors.push(...required(path.at('dataVolume', 'name'), volume.dataVolume, volume.dataVolume?.name));
    errors.push(
      ...required(
        path.at('persistentVolumeClaim', 'claimName'),
        volume.persistentVolumeClaim,
        volume.persistentVolumeClaim?.claimName,
      ),
    );
    if (volume.hostDisk) {
      if (config.hasGate('HostDisk')) errors.push(...hostDisk(volume.hostDisk, path.at('hostDisk')));
      else errors.push(...gateOff('gate-host-disk', path, 'HostDisk feature gate is not enabled', 'HostDisk'));
    }
    if (volume.downwardMetrics && !config.hasGate('DownwardMetrics')) {
      const message = 'downwardMetrics disks are not allowed: DownwardMetrics feature gate is not enabled.';
      errors.push(...gateOff('gate-downward-metrics', path, message, 'DownwardMetrics'));
    }
    if (volume.containerPath && !config.hasGate('ContainerPathVolumes')) {
      const message = 'ContainerPathVolumes feature gate is not enabled';
      errors.push(...gateOff('gate-container-path', path.at('containerPath'), message, 'ContainerPathVolumes'));
    }
    if (volume.sysprep) errors.push(...sysprep(volume.sysprep, path.at('sysprep')));
    return errors;
  });

function required(path: Path, source: unknown, value: string | undefined): FieldError[] {
  if (!source || value) return [];
  return mistake('volume-reference', path, `${path} is a required field`, 'name the object', {
    type: 'FieldValueRequired',
  });
}

function containerDisk({ image, path: inner }: NonNullable<Volume['containerDisk']>, at: Path): FieldError[] {
  if (!image) {
    return mistake('container-disk-image', at.at('image'), `${at.at('image')} is a required field`, 'name an image', {
      type: 'FieldValueRequired',
    });
  }
  if (inner === undefined || inner === '') return [];
  if (inner === '/')
    return mistake('container-disk-path', at.at('path'), `${at.at('path')} must not point to root`, 'name a file', {
      got: inner,
    });
  if (isPlainAbsolute(inner)) return [];
  return mistake(
    'container-disk-path',
    at.at('path'),
    `${at.at('path')} must be an absolute path to a file without relative elements`,
    'write it like /disk/image.qcow2',
    { got: inner },
  );
}

/** Absolute, and stays where it points: no `.`, `..`, empty parts. */
export function isPlainAbsolute(path: string): boolean {
  return (
    path.startsWith('/') &&
    path
      .slice(1)
      .split('/')
      .every((part) => part !== '' && part !== '.' && part !== '..') &&
    !path.includes('\0')
  );
}

function cloudInit(source: CloudInitNoCloudSource, at: Path): FieldError[] {
  const errors: FieldError[] = [];
  const user = [source.userData, source.userDataBase64, source.secretRef].filter(Boolean).length;
  const network = [source.networkData, source.networkDataBase64, source.networkDataSecretRef].filter(Boolean).length;
  if (user > 1) {
    errors.push(
      ...mistake(
        'cloud-init-user-data',
        at,
        `${at} must have only one userdatasource set.`,
        'keep one of userData, userDataBase64, secretRef',
      ),
    );
  }
  if (network > 1) {
    errors.push(
      ...mistake(
        'cloud-init-network-data',
        at,
        `${at} must have only one networkdata source set.`,
        'keep one of networkData, networkDataBase64, networkDataSecretRef',
      ),
    );
  }
  if (user === 0 && network === 0) {
    errors.push(
      ...mistake(
        'cloud-init-empty',
        at,
        `${at} must have at least one userdatasource or one networkdatasource set.`,
        'add userData',
      ),
    );
  }
  errors.push(...inline(source.userData, source.userDataBase64, at, 'userData', 'secretRef'));
  errors.push(...inline(source.networkData, source.networkDataBase64, at, 'networkData', 'networkDataSecretRef'));
  return errors;
}

function inline(
  text: string | undefined,
  base64: string | undefined,
  at: Path,
  field: string,
  ref: string,
): FieldError[] {
  if (base64 && !isBase64(base64)) {
    const path = at.at(`${field}Base64`);
    return mistake(`cloud-init-base64`, path, `${path} is not a valid base64 value.`, `encode it, or use ${field}`);
  }
  const bytes = text ? Buffer.byteLength(text) : Buffer.byteLength(base64 ?? '', 'base64');
  if (bytes <= CLOUD_INIT_INLINE_LIMIT) return [];
  const path = text ? at.at(field) : at.at(`${field}Base64`);
  return mistake(
    'cloud-init-size',
    path,
    `${path} exceeds ${CLOUD_INIT_INLINE_LIMIT} byte limit. Should use ${ref} for larger data.`,
    `put it into a Secret and name that in ${ref}`,
    { got: bytes },
  );
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text) && text.replace(/\s/g, '').length % 4 === 0;
}

function hostDisk({ path, type, capacity }: NonNullable<Volume['hostDisk']>, at: Path): FieldError[] {
  const errors: FieldError[] = [];
  if (!path) {
    errors.push(
      ...mistake(
        'host-disk-path',
        at.at('path'),
        `${at.at('path')} is required for hostDisk volume`,
        'name a file on the node',
        { type: 'FieldValueRequired' },
      ),
    );
  } else if (!isPlainAbsolute(path)) {
    errors.push(
      ...mistake(
        'host-disk-path',
        at.at('path'),
        `${at.at('path')} must be an absolute path to a file without relative elements`,
        'write it like /data/disk.img',
        { got: path },
      ),
    );
  }
  errors.push(
    ...notOneOf(
      'host-disk-type',
      at.at('type'),
      type,
      ['Disk', 'DiskOrCreate'],
      `${at.at('type')} has invalid value '${type}', allowed are 'Disk' or 'DiskOrCreate'`,
    ),
  );
  if (type === 'DiskOrCreate' && !tryParseQuantity(capacity)) {
    errors.push(
      ...mistake(
        'host-disk-capacity',
        at.at('capacity'),
        `${at.at('capacity')} is required when ${at.at('type')} is 'DiskOrCreate'`,
        'say how large to create it',
      ),
    );
  }
  if (type === 'Disk' && capacity !== undefined) {
    errors.push(
      ...mistake(
        'host-disk-capacity',
        at.at('capacity'),
        `${at.at('capacity')} is allowed to pass only with ${at.at('type')} equal to 'DiskOrCreate'`,
        'remove it',
      ),
    );
  }
  return errors;
}

function sysprep({ configMap, secret }: NonNullable<Volume['sysprep']>, at: Path): FieldError[] {
  if (configMap && secret)
    return mistake('sysprep-one', at, `${at} must have only one of configMap or secret reference set`, 'keep one');
  if (configMap?.name || secret?.name) return [];
  return mistake(
    'sysprep-one',
    at,
    `${at} must have configMap or secret reference set`,
    'name a ConfigMap or Secret that holds autounattend.xml',
  );
}
