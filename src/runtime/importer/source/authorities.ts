import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { certificatesIn } from '../../../api/certificates';
import { ImportError } from '../import-error';

/**
 * Trusts the authorities in the files of a folder, and those of the request, in addition to public ones. All connections of this
 * process trust them, because an agent has no option for the connection to its proxy.
 */
export async function trustAuthorities(folder: string, given = ''): Promise<void> {
  const added = [...(await textsIn(folder)), given].flatMap(certificatesIn);
  if (added.length === 0) return;
  try {
    setDefaultCACertificates([...getCACertificates('default'), ...added]);
  } catch (cause) {
    const remedy = 'write the certificates of authorities into the ConfigMap of certConfigMap, in PEM';
    throw new ImportError('RequestInvalid', 'a certificate of an authority cannot be read', remedy, { cause });
  }
}

/** Contents of the keys of a ConfigMap. */
async function textsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => !name.startsWith('.'));
  return Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
}
