import { resolve } from 'node:path';
import { normalReference, parseReference } from '../../local/images/reference';
import { CliError } from '../errors';

/** An image to load. */
export interface Source {
  /** Source for skopeo, such as `oci-archive:/tmp/web.tar`. */
  readonly from: string;
  /** Canonical reference by which Pods use the image. */
  readonly name: string;
}

const ARCHIVES = ['oci-archive', 'docker-archive'];
const STORAGE = 'containers-storage';
const ALLOWED = 'oci-archive:FILE, docker-archive:FILE, containers-storage:NAME';

/**
 * Reads the arguments of `images load`. Pure, but for the current folder.
 *
 * @param given - a source of skopeo that is on this machine; a plain path is an OCI archive
 * @param name - reference of the image; required for archives
 * @throws CliError
 */
export function sourceOf(given: string, name?: string): Source {
  const [, transport = 'oci-archive', rest = ''] = /^(?:([a-z-]+):)?(.*)$/s.exec(given) ?? [];
  if (transport === 'docker' || transport === 'docker-daemon') {
    const remedy =
      transport === 'docker'
        ? 'the engine pulls images of registries itself'
        : 'run docker save -o FILE NAME, then virt8s images load docker-archive:FILE';
    throw new CliError(`${given} cannot be loaded (allowed: ${ALLOWED}); ${remedy}`);
  }
  const isArchive = ARCHIVES.includes(transport);
  if (!isArchive && transport !== STORAGE) throw new CliError(`${given} is not an image source (allowed: ${ALLOWED})`);
  if (rest === '') throw new CliError(`${given} names no image (allowed: ${ALLOWED})`);
  if (isArchive) return { from: `${transport}:${resolve(rest)}`, name: requireName(name, `${given} needs a name`) };
  // a store other than the default one is written before the name, in brackets
  const stored = rest.replace(/^\[[^\]]*\]/, '');
  return { from: given, name: requireName(name ?? stored, `"${stored}" is not an image reference`) };
}

function requireName(name: string | undefined, problem: string): string {
  const example = 'add --name, such as --name localhost/web:v1';
  if (name === undefined) throw new CliError(`${problem}; ${example}`);
  const parsed = parseReference(name);
  if (!parsed) throw new CliError(`"${name}" is not an image reference; ${example}`);
  if (parsed.digest) throw new CliError(`"${name}" has a digest, which copying may change; ${example}`);
  return normalReference(name);
}
