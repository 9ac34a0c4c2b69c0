/** Sources of disks. */
import type { Disk } from '../../../../api';
import type { DiskLocation, DiskSource, DomainFacts } from '../facts';
import { type Child, type Element, el } from '../xml';

const located = ({ type, path }: DiskLocation): { dev?: string; file?: string } =>
  type === 'block' ? { dev: path } : { file: path };

/** SCSI-3 reservations are made by a helper on the node, because QEMU is not allowed to. */
function reservations({ lun }: Disk, { reservationSocket }: DomainFacts): Child {
  if (!lun?.reservation) return undefined;
  const helper = el('source', { type: 'unix', path: reservationSocket, mode: 'client' });
  return el('reservations', { managed: 'no', migration: 'yes' }, helper);
}

/** `<source>`; empty for a drive without a medium. */
export function sourceElement(disk: Disk, source: DiskSource | undefined, facts: DomainFacts): Element {
  if (!source) return el('source', {}, reservations(disk, facts));
  const { dataStore } = source;
  return el(
    'source',
    { ...located(source), name: source.label },
    source.isMetrics ? undefined : reservations(disk, facts),
    dataStore &&
      el('dataStore', { type: dataStore.type }, el('format', { type: 'raw' }), el('source', located(dataStore))),
  );
}
