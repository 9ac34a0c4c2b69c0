import { ARCHITECTURES, type ArchitectureName } from '../../launcher-image/arch';
import { CliError } from '../errors';
import { ENGINE } from './names';

/** Parses `--arch`. */
export function architecturesOf(text: string, names: readonly string[]): ArchitectureName[] {
  const given = [...new Set(text.split(',').map((name) => name.trim()))];
  const allowed = Object.keys(ARCHITECTURES);
  const unknown = given.find((name) => !allowed.includes(name));
  if (unknown !== undefined) {
    throw new CliError(`--arch: "${unknown}" is not an architecture of the images (allowed: ${allowed.join(', ')})`);
  }
  if (names.includes(ENGINE) && given.some((name) => name !== 'amd64')) {
    throw new CliError('--arch: the image of the engine exists only for amd64; build it without --arch');
  }
  return given as ArchitectureName[];
}
