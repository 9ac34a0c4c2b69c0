/** Sources that this version cannot read. Pure. */
import type { cdi } from '../../../../api';
import { SERVED } from '../content';

/** Requirements of sources that depend on software of others. */
const NEEDS: Readonly<Record<string, string>> = {
  vddk:
    'it needs the VDDK library of VMware, which nobody else may distribute; export the disk as vmdk, and import ' +
    'that with the source http',
  imageio: 'it needs the API of an oVirt engine; download the disk as qcow2, and import that with the source http',
};

/** Problem of a DataVolume with a source that this version cannot read. */
export function notServed({
  source = {},
  sourceRef,
}: cdi.DataVolumeSpec): { readonly reason: string; readonly message: string } | undefined {
  const kind = sourceRef ? 'sourceRef' : (Object.keys(source)[0] ?? '');
  if (SERVED.includes(kind)) return undefined;
  const allowed = `(allowed: ${SERVED.join(', ')})`;
  const message = `the source ${kind} is not supported by this version ${allowed}${NEEDS[kind] ? `: ${NEEDS[kind]}` : ''}`;
  return { reason: 'SourceNotSupported', message };
}
