/** Maps fields of the manifest to the properties that set them. */

type Rewrites = readonly (readonly [RegExp, string])[];

const rewrite = (rules: Rewrites, field: string): string | undefined => {
  const found = rules.find(([pattern]) => pattern.test(field));
  return found && (found[0].exec(field)?.[0] ?? '').replace(found[0], found[1]);
};

/** Fields of a source, below its kind. */
const sourceFields: Rewrites = [
  [/^source\.(?:pvc|snapshot)\.namespace\b/, 'source.namespace'],
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

/**
 * Returns the property that sets a field of a DataVolume's spec: `storage.accessModes` → `accessModes`; undefined if
 * none does.
 */
export function propertyOfDataVolume(field: string): string | undefined {
  if (/^source\b/.test(field)) return sourceFields.reduce((text, [pattern, by]) => text.replace(pattern, by), field);
  return rewrite(dataVolume, field);
}

/**
 * Returns the disk property that sets a field of its DataVolume template: `spec.source.http.url` → `url`; undefined if
 * none does.
 */
export function propertyOfTemplate(field: string): string | undefined {
  if (/^metadata\b/.test(field)) return field.replace(/^metadata/, 'dataVolumeMetadata');
  const own = field.replace(/^spec\./, '');
  // the name is an argument of the factory, so only the namespace can be at fault
  if (/^source\.(?:pvc|snapshot)$/.test(own)) return 'namespace';
  // a mistake in a source as a whole is reported for the disk
  if (/^source(?:\.\w+)?$/.test(own)) return undefined;
  return propertyOfDataVolume(own)?.replace(/^source\.(?:\w+\.)?/, '');
}
