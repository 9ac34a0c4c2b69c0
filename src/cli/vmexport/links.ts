/** Chooses the URL of a volume. Pure. */
import type { VirtualMachineExportLink } from '../../api/generated/export-v1';
import { CliError } from '../errors';

export interface VolumeLink {
  readonly url: string;
  /** Format of the download. */
  readonly format: 'raw' | 'gzip' | 'tar.gz';
}

/**
 * Compressed formats are preferred, because they are smaller. @throws CliError if the volume is not clear
 *
 * @param file name of the file of a file system; without it, a file system is an archive
 */
export function volumeLink(
  { volumes = [] }: VirtualMachineExportLink,
  wanted: string | undefined,
  file?: string,
): VolumeLink {
  const names = volumes.map(({ name }) => `"${name}"`).join(', ') || 'none';
  if (wanted === undefined && volumes.length > 1) {
    throw new CliError(`the export has several volumes; choose one with --volume (available: ${names})`);
  }
  const volume = volumes.find(({ name }) => wanted === undefined || name === wanted);
  if (!volume) throw new CliError(`the export has no volume "${wanted ?? ''}" (available: ${names})`);
  if (file !== undefined) {
    const folder = volume.formats?.find(({ format }) => format === 'dir');
    if (!folder) throw new CliError(`volume "${volume.name}" is not a file system`);
    return { url: `${folder.url.replace(/\/?$/, '/')}${encodeURIComponent(file)}`, format: 'raw' };
  }
  for (const format of ['gzip', 'tar.gz', 'raw'] as const) {
    const found = volume.formats?.find((each) => each.format === format);
    if (found) return { url: found.url, format };
  }
  throw new CliError(`volume "${volume.name}" has no format that can be downloaded`);
}
