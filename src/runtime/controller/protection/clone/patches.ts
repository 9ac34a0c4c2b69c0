/** JSON patches that make a new VM of a copy: its own addresses and identity, and the labels that are wanted. Pure. */
import type { Clone, Content } from '../types';

type Source = NonNullable<Content['spec']['source']['virtualMachine']>;

const remove = (path: string): string => JSON.stringify({ op: 'remove', path });
const set = (path: string, value: string): string => JSON.stringify({ op: 'add', path, value });
const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

const TEMPLATE = '/spec/template';
const DOMAIN = `${TEMPLATE}/spec/domain`;

export function clonePatches({ spec }: Clone, source: Source): string[] {
  const template = source.spec?.template;
  const { labelFilters, annotationFilters } = spec;
  const { labelFilters: ofLabels, annotationFilters: ofAnnotations } = spec.template ?? {};
  return [
    ...filtered(source.metadata?.labels, labelFilters, '/metadata/labels'),
    ...filtered(source.metadata?.annotations, annotationFilters, '/metadata/annotations'),
    ...filtered(template?.metadata?.labels, ofLabels, `${TEMPLATE}/metadata/labels`),
    ...filtered(template?.metadata?.annotations, ofAnnotations, `${TEMPLATE}/metadata/annotations`),
    ...addresses(spec, source),
    ...identity(spec, source),
    ...(spec.patches ?? []),
  ];
}

/** Removes what the filters do not select. Filters apply in order; without one that includes something, everything is included. */
function filtered(
  given: Readonly<Record<string, string>> = {},
  filters: readonly string[] | undefined,
  path: string,
): string[] {
  if (!filters || filters.length === 0) return [];
  return Object.keys(given)
    .filter((key) => !isSelected(key, filters))
    .map((key) => remove(`${path}/${escaped(key)}`));
}

export function isSelected(key: string, filters: readonly string[]): boolean {
  const included = filters.filter((filter) => !filter.startsWith('!'));
  const excluded = filters.filter((filter) => filter.startsWith('!')).map((filter) => filter.slice(1));
  const matches = (filter: string): boolean =>
    filter.endsWith('*') ? key.startsWith(filter.slice(0, -1)) : key === filter;
  return (included.length === 0 || included.some(matches)) && !excluded.some(matches);
}

/** The restore's webhook accepts no colon in a value. */
function addresses({ newMacAddresses = {} }: Clone['spec'], source: Source): string[] {
  const interfaces = source.spec?.template.spec?.domain.devices.interfaces ?? [];
  return interfaces.flatMap(({ name, macAddress }, index) => {
    const path = `${DOMAIN}/devices/interfaces/${index}/macAddress`;
    const wanted = newMacAddresses[name];
    if (wanted) return [set(path, wanted.replaceAll(':', '-'))];
    return macAddress ? [remove(path)] : [];
  });
}

/** A copy has a machine id of its own, and the host name that follows from its name. */
function identity({ newSMBiosSerial }: Clone['spec'], source: Source): string[] {
  const instance = source.spec?.template.spec;
  const { firmware } = instance?.domain ?? {};
  const serial = newSMBiosSerial
    ? firmware
      ? [set(`${DOMAIN}/firmware/serial`, newSMBiosSerial)]
      : [
          JSON.stringify({ op: 'add', path: `${DOMAIN}/firmware`, value: {} }),
          set(`${DOMAIN}/firmware/serial`, newSMBiosSerial),
        ]
    : firmware?.serial
      ? [remove(`${DOMAIN}/firmware/serial`)]
      : [];
  return [
    ...(firmware?.uuid ? [remove(`${DOMAIN}/firmware/uuid`)] : []),
    ...serial,
    ...(instance?.hostname ? [remove(`${TEMPLATE}/spec/hostname`)] : []),
  ];
}
