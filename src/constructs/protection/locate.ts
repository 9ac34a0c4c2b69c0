/** Fields of snapshots, restores, clones, exports and backups, and their properties. */
const properties: readonly (readonly [field: RegExp, property: string])[] = [
  [/^spec\.source\b.*/, 'source'],
  [/^spec\.virtualMachineSnapshotName\b/, 'snapshot'],
  [/^spec\.target\b.*/, 'target'],
  [/^spec\.volumeRestoreOverrides\b/, 'volumeOverrides'],
  [/^spec\.pvcName\b/, 'claim'],
  [/^spec\.tokenSecretRef\b/, 'tokenSecret'],
  [/^spec\.ttlDuration\b/, 'ttl'],
  [/^spec\.(volume(?:Restore|Ownership|Name)Policy|targetReadinessPolicy|deletionPolicy|failureDeadline)\b/, '$1'],
  [/^spec\.(mode|patches|labelFilters|annotationFilters|newMacAddresses)\b/, '$1'],
];

/** Returns the property that sets this field of a request, such as `ttl`. */
export function propertyOfRequest(field: string): string | undefined {
  const found = properties.find(([pattern]) => pattern.test(field));
  return found && field.replace(...found);
}
