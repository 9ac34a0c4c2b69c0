import { basename, join } from 'node:path';

/**
 * Socket in the claim of a backup in mode Pull, at which QEMU serves the disks to the exporter. Short, because paths of sockets
 * have at most 107 bytes.
 *
 * @param directory of the claim: its last part is the volume's name, `backup-UID`
 */
export const backupSocketOf = (directory: string): string => join(directory, backupSocketName(basename(directory)));

/** Name of the socket, by the volume's name. */
export const backupSocketName = (volume: string): string => `nbd-${volume.replace(/^backup-/, '').slice(0, 8)}.sock`;
