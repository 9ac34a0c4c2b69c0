/** Credentials that a DataVolume's source has in plain text: everybody who can read the manifest would know them. */
import { mistake } from '../admission/rule';
import { type Finding, named, text } from '../findings';
import type { Filled } from './storage-sources';
import { read, textAt } from './read';

/** Headers that authenticate: `Authorization`, `Cookie`, `X-Api-Key`. */
const SECRET_HEADER = /^\s*((proxy-)?authorization|cookie|[\w-]*(token|secret|passw|api-?key)[\w-]*)\s*:/i;
const PASSWORD = /^[a-z][\w+.-]*:\/\/[^/?#]*:[^/?#]+@/i;
const WITH_URL = ['http', 's3', 'gcs', 'imageio', 'vddk', 'registry'];

/** Reports passwords and tokens in a manifest. The messages do not repeat them. */
export function sourceHoldsNoSecret({ spec, at }: Filled): Finding[] {
  const urls = WITH_URL.flatMap((kind) => {
    if (!PASSWORD.test(textAt(spec, 'source', kind, 'url') ?? '')) return [];
    const source = at.at('source', kind);
    const remedy = text`keep user and password as accessKeyId and secretKey of a Secret, and name it in ${named(source.at('secretRef'), 1)}`;
    return mistake('source-secret', source.at('url'), 'holds a password in plain text', remedy);
  });
  const given = read(spec, 'source', 'http', 'extraHeaders');
  const headers = (Array.isArray(given) ? given : []).flatMap((header: unknown, i) => {
    const name = typeof header === 'string' ? SECRET_HEADER.exec(header)?.[1] : undefined;
    if (name === undefined) return [];
    const secrets = named(at.at('source', 'http', 'secretExtraHeaders'), 1);
    const remedy = text`keep the header as a value of a Secret, and name it in ${secrets}`;
    const message = `holds ${name} in plain text`;
    return mistake('source-secret', at.at('source', 'http', 'extraHeaders', i), message, remedy);
  });
  return [...urls, ...headers];
}
