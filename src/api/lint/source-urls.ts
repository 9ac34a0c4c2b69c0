/** URLs of disk images that lead to a web page or to a whole bucket. */
import { mistake } from '../admission/rule';
import type { Finding, Path } from '../findings';
import { textAt } from './read';
import type { Filled } from './storage-sources';

/** Addresses of web pages about a file, and the address of the file itself. */
const PAGES: readonly (readonly [page: RegExp, remedy: string])[] = [
  [/^https?:\/\/(www\.)?github\.com\/[^/]+\/[^/]+\/blob\//i, 'write /raw/ instead of /blob/, or the URL of a release'],
  [/^https?:\/\/gitlab\.com\/.+\/-\/blob\//i, 'write /-/raw/ instead of /-/blob/'],
  [/^https?:\/\/console\.cloud\.google\.com\//i, 'write gs://BUCKET/OBJECT with the source gcs'],
  [/^https?:\/\/([\w-]+\.)?(s3\.)?console\.aws\.amazon\.com\//i, 'write https://s3.REGION.amazonaws.com/BUCKET/KEY'],
  [/^https?:\/\/drive\.google\.com\/file\//i, 'serve the file from a web server or a bucket'],
  [/^https?:\/\/(www\.)?dropbox\.com\/(?!.*[?&](dl|raw)=1)/i, 'append ?dl=1'],
];

/** Reports a URL at which no disk image can be. */
export function urlIsOfFile({ spec, at }: Filled): Finding[] {
  for (const kind of ['http', 's3', 'gcs'] as const) {
    const url = textAt(spec, 'source', kind, 'url');
    if (url !== undefined) return fileUrl(kind, url, at.at('source', kind, 'url'));
  }
  return [];
}

function fileUrl(kind: 'http' | 's3' | 'gcs', url: string, path: Path): Finding[] {
  const [, remedy] = PAGES.find(([page]) => page.test(url)) ?? [];
  if (remedy !== undefined) {
    return mistake('source-page', path, `"${url}" is a web page about the file, not the file`, remedy, { value: url });
  }
  if (kind === 'http') return [];
  // CDI reads the first part of the path as the bucket, also where the host names it
  const [, scheme, rest] = /^([a-z]+):\/\/[^/]+(.*)$/is.exec(url) ?? [];
  if (scheme === undefined) return [];
  const parts = rest.split('/').filter((part) => part !== '');
  if (parts.length >= (scheme.toLowerCase() === 'gs' ? 1 : 2)) return [];
  const example = kind === 'gcs' ? 'gs://BUCKET/OBJECT' : 'https://HOST/BUCKET/KEY';
  const cause = `"${url}" names no file: the path must consist of the bucket and the file in it`;
  return mistake('source-object', path, cause, `write it like ${example}`, { value: url });
}
