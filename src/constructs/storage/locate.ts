/** Which property of the user's code makes a field of the manifest. */

type Rewrites = readonly (readonly [RegExp, string])[];

const rewrite = (rules: Rewrites, field: string): string | undefined => {
  const found = rules.find(([pattern]) => pattern.test(field));
  return found && (found[0].exec(field)?.[0] ?? '').replace(found[0], found[1]);
};

/** Fields of a source, below its kind. */
const sourceFields: Rewrites = [
  [/\.secretRef\b/, '.credentials'],
  [/\.secretExtraHeaders\b/, '.secretHeaders'],
  [/\.initImageURL\b/, '.initImageUrl'],
  [/\.platform\.architecture\b/, '.architecture'],
];

/** Fields of the spec of a DataVolume. */
const dataVolume: Rewrites = [
  [/^(?:storage|pvc)\.resources\.limits\b.*/, 'sizeLimit'],
  [/^(?:storage|pvc)\.resources\b.*/, 'size'],
  [/^(?:storage|pvc)\.(?:dataSourceRef|dataSource)\b(.*)/, 'source$1'],
  [/^(?:storage|pvc)\.(\w+)(.*)/, '$1$2'],
  [/^contentType\b/, 'content'],
  [/^serviceAccountName\b/, 'serviceAccount'],
  [/^sourceRef\b(.*)/, 'source$1'],
  [/^(?:preallocation|priorityClassName|finalCheckpoint)\b/, '$&'],
  [/^checkpoints\b.*/, '$&'],
];

/** Property of a DataVolume's spec: `storage.accessModes` → `accessModes`; undefined when none makes the field. */
export function propertyOfDataVolume(field: string): string | undefined {
  if (/^source\b/.test(field)) return sourceFields.reduce((text, [pattern, by]) => text.replace(pattern, by), field);
  return rewrite(dataVolume, field);
}

/** Fields of a disk. */
const disk: Rewrites = [
  [/^(?:disk|cdrom|lun)\.readonly\b/, 'readOnly'],
  [/^(?:disk|cdrom|lun)\.(pciAddress|tray|reservation)\b/, 'device.$1'],
  [/^(?:disk|cdrom|lun)\.(\w+)/, '$1'],
  [/^(?:disk|cdrom|lun)$/, 'device'],
  [/^dedicatedIOThread\b/, 'dedicatedIoThread'],
  [/^blockSize\.(?:custom\.)?(.*)/, 'blockSize.$1'],
  [/^(?:name|bootOrder|serial|cache|io|errorPolicy|shareable|tag|blockSize|changedBlockTracking)$/, '$&'],
];

/** Fields of a volume. */
const volume: Rewrites = [
  [/^containerDisk\.imagePullPolicy\b/, 'pullPolicy'],
  [/^containerDisk\.imagePullSecret\b/, 'pullSecret'],
  [/^emptyDisk\.capacity\b/, 'size'],
  [/^hostDisk\.(?:capacity|type)\b/, 'createWithSize'],
  [/^downwardAPI\.fields\b(\[\d+\])?.*/, 'files$1'],
  [/^(?:ephemeral\.)?persistentVolumeClaim\.readOnly\b/, 'readOnlyClaim'],
  [/^(?:ephemeral\.)?persistentVolumeClaim\.claimName\b/, 'claim'],
  [/^memoryDump\.claimName\b/, 'claim'],
  [/^secret\.secretName\b/, 'secret'],
  [/^serviceAccount\.serviceAccountName\b/, 'serviceAccount'],
  [/^(configMap|dataVolume)\.name\b/, '$1'],
  [/^\w+\.(hotpluggable|optional|volumeLabel|path|image|shared|readOnly)\b/, '$1'],
  [/^name$/, 'name'],
];

/** What a factory calls the fields of its source: `Disk.http(url)`. */
const ofFactory = (property: string): string => property.replace(/^source\.\w+\.(?=\w)/, '');

/**
 * Property of a disk of a VM, of a field below `domain.devices.disks[1]` (`disk.bus` → `bus`), `volumes[1]`
 * (`containerDisk.image` → `image`) or `dataVolumeTemplates[0]` (`spec.source.http.url` → `url`); undefined when none
 * makes the field.
 */
export function propertyOfDisk(list: 'disks' | 'volumes' | 'dataVolumeTemplates', field: string): string | undefined {
  if (list === 'disks') return rewrite(disk, field);
  if (list === 'volumes') return rewrite(volume, field);
  if (/^metadata\b/.test(field)) return field.replace(/^metadata/, 'dataVolumeMetadata');
  const property = propertyOfDataVolume(field.replace(/^spec\./, ''));
  return property && ofFactory(property);
}
