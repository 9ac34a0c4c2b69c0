/** Reads all objects of all files that the arguments name. */
import { existsSync } from 'node:fs';
import { type KubeObject, root } from '../../api';
import { CliError, UNREADABLE } from '../errors';
import { notAnObject } from './object';
import { readManifests } from './read';

/** Output folder of `cdk8s synth`. */
const SYNTH = 'dist';

/**
 * Reads the objects of these files and folders, by default of `dist`. Items of a List are separate objects.
 *
 * @throws CliError (exit code 2) if a file cannot be read or contains a document that is not an object
 */
export async function readAllObjects(names: readonly string[]): Promise<KubeObject[]> {
  if (names.length === 0 && !existsSync(SYNTH)) {
    throw new CliError(
      `no files were given and the default folder ${SYNTH} does not exist; pass files, or - for standard input`,
      UNREADABLE,
    );
  }
  const files = await readManifests(names.length === 0 ? [SYNTH] : names);
  return files.flatMap(({ file, documents, unreadable }) => {
    if (unreadable) throw new CliError(`${file}: ${unreadable}`, UNREADABLE);
    return documents.flatMap(({ object, problem, locate }) => {
      const at = problem?.at ?? locate(root.parts);
      const wrong = problem ?? (object ? notAnObject(object) : undefined);
      if (wrong) throw new CliError(`${file}:${at.line}: ${wrong.cause}; ${wrong.remedy}`, UNREADABLE);
      return object ? [object as unknown as KubeObject] : [];
    });
  });
}
