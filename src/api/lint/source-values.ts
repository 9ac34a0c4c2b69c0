/** Sources of a DataVolume that CDI accepts, but on which its importer fails, and options that it ignores. */
import { mistake } from '../admission/rule';
import { type Finding, named, root, text } from '../findings';
import { kindOf } from '../kinds/registry';
import type { KubeObject } from '../meta';
import { image } from './guest-values';
import { listAt, read, textAt } from './read';
import { urlIsOfFile } from './source-urls';
import { diskOwner } from './storage-guests';
import { type Filled, filledBy, isHeader } from './storage-sources';

/** Archives that CDI does not unpack: it reads raw, qcow2, vmdk, vdi and vhdx, plain or compressed by gzip, xz or zstd. */
const UNREADABLE = /\.(zip|7z|rar|bz2|tbz2?|ova|ovf|dmg|exe|msi|deb|rpm)$/i;
const ARCHIVE = /\.(tar|tgz|tar\.(gz|xz|zst))$/i;
const DISK = /\.(qcow2?|vmdk|vdi|vhdx?|iso)(\.(gz|xz|zst))?$/i;

const rules: readonly ((filled: Filled) => Finding[])[] = [
  registryImage,
  architecture,
  nodePull,
  fileFormat,
  urlIsOfFile,
  headers,
  stages,
];

export function sourceValues(object: KubeObject): Finding[] {
  const filled = filledBy(object, diskOwner(object));
  if (filled.length === 0) return [];
  return [...filled.flatMap((each) => rules.flatMap((rule) => rule(each))), ...importsAreKept(object)];
}

function registryImage({ spec, at }: Filled): Finding[] {
  const url = textAt(spec, 'source', 'registry', 'url');
  const [, rest] = /^docker:\/\/(.*)$/s.exec(url ?? '') ?? [];
  if (url === undefined || rest === undefined) return [];
  return image(url, at.at('source', 'registry', 'url'), rest);
}

/** Names that the kernel and Debian give to architectures, and those of container images. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  x86_64: 'amd64',
  'x86-64': 'amd64',
  x64: 'amd64',
  aarch64: 'arm64',
  armv8: 'arm64',
  s390: 's390x',
  ppc64el: 'ppc64le',
};

function architecture({ spec, at }: Filled): Finding[] {
  const got = textAt(spec, 'source', 'registry', 'platform', 'architecture');
  const known = got?.toLowerCase();
  if (got === undefined || known === undefined) return [];
  const meant = Object.hasOwn(ARCHITECTURES, known) ? ARCHITECTURES[known] : known;
  if (meant === got) return [];
  const path = at.at('source', 'registry', 'platform', 'architecture');
  const cause = `no image has the architecture "${got}", so nothing is imported`;
  return mistake('source-architecture', path, cause, `write ${meant}`, { value: got });
}

/** With `pullMethod: node` the image is that of a container, which the node pulls with its own credentials. */
function nodePull({ spec, at }: Filled): Finding[] {
  if (read(spec, 'source', 'registry', 'pullMethod') !== 'node') return [];
  const path = at.at('source', 'registry');
  const url = textAt(spec, 'source', 'registry', 'url');
  if (url?.startsWith('oci-archive:')) {
    const cause = 'a node pulls images from a registry, not from an archive';
    return mistake('source-node-pull', path.at('url'), cause, 'write docker://…, or pullMethod: pod', { value: url });
  }
  return (['secretRef', 'certConfigMap'] as const).flatMap((field) => {
    const got = textAt(spec, 'source', 'registry', field);
    if (got === undefined) return [];
    const cause = 'a node pulls the image with its own credentials and certificates, and ignores these';
    return mistake('source-node-pull', path.at(field), cause, 'remove it, or use pullMethod: pod', { value: got });
  });
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
    if (url === undefined) return [];
    if (isArchive) return archive(kind, file, { spec, at });
    if (!ARCHIVE.test(file)) return [];
    const type = named(at.at('contentType'), 1);
    const remedy = text`set ${type} to archive for a volume of files, or serve the disk image itself`;
    const cause = text`"${file}" is an archive of files, but ${type} requires a disk image`;
    return mistake('source-format', path, cause, remedy, { value: file });
  });
}

/** Only the importer for HTTP unpacks archives. */
function archive(kind: string, file: string, { at }: Filled): Finding[] {
  if (kind !== 'http') {
    const cause = `CDI unpacks archives from HTTP servers only, and reads a file of ${kind} as a disk`;
    const remedy = 'use an HTTP server, or leave contentType out';
    return mistake('source-archive', at.at('contentType'), cause, remedy, { value: 'archive' });
  }
  if (!DISK.test(file)) return [];
  const cause = `"${file}" is a disk image, but contentType requires a tar archive of files`;
  const path = at.at('source', kind, 'url');
  return mistake('source-archive', path, cause, 'leave contentType out', { value: file });
}

/** CDI skips a header that it cannot split into name and value. */
function headers({ spec, at }: Filled): Finding[] {
  const given = read(spec, 'source', 'http', 'extraHeaders');
  if (!Array.isArray(given)) return [];
  return given.flatMap((header: unknown, i) => {
    if (typeof header !== 'string' || isHeader(header)) return [];
    const path = at.at('source', 'http', 'extraHeaders', i);
    const cause = 'is not a header: the name must be followed by a colon, or CDI ignores it';
    return mistake('source-header', path, cause, 'write Name: value');
  });
}

/** Sources of which CDI copies one stage after the other. */
const STAGED = ['vddk', 'imageio'];

function stages({ spec, at }: Filled): Finding[] {
  const isFinal = read(spec, 'finalCheckpoint') === true;
  const count = listAt(spec, 'checkpoints').length;
  if (count === 0) {
    if (!isFinal) return [];
    const cause = 'the import has no checkpoints, so this has no effect';
    return mistake('import-stages', at.at('finalCheckpoint'), cause, 'add checkpoints, or remove it', { value: true });
  }
  const source = Object.keys((read(spec, 'source') as object | undefined) ?? {}).find((kind) => !STAGED.includes(kind));
  if (source === undefined) return [];
  const cause = `only imports from VMware and oVirt have stages, and the source is ${source}`;
  return mistake('import-stages', at.at('checkpoints'), cause, 'remove checkpoints', { allowed: STAGED });
}

/** CDI deletes all imports beyond this number, also the newest. */
function importsAreKept(object: KubeObject): Finding[] {
  if (kindOf(object) !== 'DataImportCron') return [];
  const got = read(object, 'spec', 'importsToKeep');
  const isNever = read(object, 'spec', 'garbageCollect') === 'Never';
  const path = root.at('spec', 'importsToKeep');
  if (isNever && got !== undefined) {
    const cause = 'garbageCollect is Never, which keeps all imports, so this has no effect';
    return mistake('cron-imports', path, cause, 'remove it, or remove garbageCollect', { value: got });
  }
  if (got !== 0) return [];
  const cause = 'CDI deletes every import, also the newest one';
  return mistake('cron-imports', path, cause, 'write 1 or more, or garbageCollect: Never to keep all', { value: 0 });
}
