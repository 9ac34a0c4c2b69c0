/** Fields of the manifest, below `spec.template.spec.`, and the property of the VM that makes them. */
const properties: readonly (readonly [RegExp, string])[] = [
  [/^domain\.cpu\b/, 'cpu'],
  [/^domain\.memory\b/, 'memory'],
  [/^domain\.resources\.((?:requests|limits)(?:\.\w+)?)/, '$1'],
  [/^domain\.(firmware|features|machine)\b/, 'firmware'],
  [/^domain\.devices\.interfaces(\[\d+\])?/, 'networks$1'],
  [/^networks(\[\d+\])?/, 'networks$1'],
  [/^(nodeSelector|tolerations)\b/, 'scheduling'],
  [/^accessCredentials\b/, 'cloudInit.users'],
  [/^terminationGracePeriodSeconds\b/, 'terminationGracePeriod'],
  [/^(hostname|startStrategy|evictionStrategy)\b/, '$1'],
];

/**
 * Which property of `new VirtualMachine(…)` makes this field, such as `disks[1]`; `undefined` for what only
 * `instanceSpec` reaches.
 */
export function propertyOf(field: string, diskCount: number): string | undefined {
  if (/^spec\.runStrategy\b/.test(field)) return 'runStrategy';
  if (/^spec\.template\.metadata\b/.test(field)) return 'instanceMetadata';
  const own = /^spec\.template\.spec\.(.*)$/.exec(field)?.[1];
  if (own === undefined) return undefined;
  const disk = /^(?:domain\.devices\.disks|volumes)\[(\d+)\]/.exec(own);
  // the last one is that of cloud-init
  if (disk) return Number(disk[1]) < diskCount ? `disks[${disk[1]}]` : 'cloudInit';
  const found = properties.find(([pattern]) => pattern.test(own));
  return found && (found[0].exec(own)?.[0] ?? '').replace(found[0], found[1]);
}
