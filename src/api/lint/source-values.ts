/** Sources of a DataVolume that CDI accepts, but on which its importer fails. */
import { mistake } from '../admission/rule';
import { type Finding, named, text } from '../findings';
import type { KubeObject } from '../meta';
import { image } from './guest-values';
import { read, textAt } from './read';
import { diskOwner } from './storage-guests';
import { type Filled, filledBy } from './storage-sources';

/** Archives that CDI does not unpack: it reads raw, qcow2, vmdk, vdi and vhdx, plain or compressed by gzip, xz or zstd. */
const UNREADABLE = /\.(zip|7z|rar|bz2|tbz2?|ova|ovf|dmg|exe|msi|deb|rpm)$/i;
const ARCHIVE = /\.(tar|tgz|tar\.(gz|xz|zst))$/i;

export function sourceValues(object: KubeObject): Finding[] {
  return filledBy(object, diskOwner(object)).flatMap((filled) => [...registryImage(filled), ...fileFormat(filled)]);
}

function registryImage({ spec, at }: Filled): Finding[] {
  const url = textAt(spec, 'source', 'registry', 'url');
  const [, rest] = /^docker:\/\/(.*)$/s.exec(url ?? '') ?? [];
  if (url === undefined || rest === undefined) return [];
  return image(url, at.at('source', 'registry', 'url'), rest);
}

function fileFormat({ spec, at }: Filled): Finding[] {
  const isArchive = read(spec, 'contentType') === 'archive';
  return ['http', 's3', 'gcs'].flatMap((kind) => {
    const url = textAt(spec, 'source', kind, 'url');
    const file =
      url
        ?.replace(/[?#].*$/s, '')
        .split('/')
        .at(-1) ?? '';
    const path = at.at('source', kind, 'url');
    if (UNREADABLE.test(file)) {
      const remedy =
        'unpack it, and serve the disk image itself: raw, qcow2, vmdk, vdi, vhdx or iso, also by gzip or xz';
      return mistake('source-format', path, `"${file}" is not a disk that CDI can read`, remedy, { value: file });
    }
    if (url === undefined || isArchive || !ARCHIVE.test(file)) return [];
    const type = named(at.at('contentType'), 1);
    const remedy = text`set ${type} to archive for a volume of files, or serve the disk image itself`;
    return mistake(
      'source-format',
      path,
      text`"${file}" is an archive of files, but ${type} requires a disk image`,
      remedy,
      {
        value: file,
      },
    );
  });
}
