/** All objects of all files that the arguments mean. */
import { existsSync } from 'node:fs';
import { type KubeObject, root } from '../../api';
import { CliError, UNREADABLE } from '../errors';
import { notAnObject } from './object';
import { readManifests } from './read';

/** What `cdk8s synth` writes. */
const SYNTH = 'dist';

/**
 * The objects of these files and folders; without any, of `dist`. Items of a List stand alone.
 *
 * @throws CliError (exit code 2) when a file cannot be read, or something in it is no object
 */
export async function readAllObjects(names: readonly string[]): Promise<KubeObject[]> {
  if (names.length === 0 && !existsSync(SYNTH)) {
    throw new CliError(
      `name the files to read (there is no folder ${SYNTH} here), or - for standard input`,
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
