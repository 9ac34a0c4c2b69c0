/** What a user should know of an import besides its code. Pure. */
import type { Told } from './program';

/** Lines for standard error. */
export function notesOn(told: readonly Told[]): string[] {
  return [...told.flatMap(strippedFrom), ...told.flatMap(secretIn), ...told.flatMap(refusedOf), summary(told)];
}

const nameOf = ({ object: { kind, metadata } }: Told): string =>
  `${kind} ${String(metadata.name ?? metadata.generateName ?? '')}`.trimEnd();

function strippedFrom(told: Told): string[] {
  return told.stripped.length === 0
    ? []
    : [`${nameOf(told)}: left out, since the cluster wrote it: ${told.stripped.join(', ')}`];
}

/** Values are never told. */
function secretIn(told: Told): string[] {
  const { kind, apiVersion, data, stringData } = told.object;
  if (kind !== 'Secret' || apiVersion !== 'v1') return [];
  const keys = [data, stringData].flatMap((held) =>
    typeof held === 'object' && held !== null ? Object.keys(held) : [],
  );
  if (keys.length === 0) return [];
  return [
    `${nameOf(told)}: its values (${keys.join(', ')}) are now in the code; read them from the environment ` +
      '(process.env), or delete it there and keep the Secret out of version control',
  ];
}

function refusedOf(told: Told): string[] {
  return told.refusal === undefined
    ? []
    : [`${nameOf(told)}: declared as it is, since its construct refuses it (see the comment in the code)`];
}

function summary(told: readonly Told[]): string {
  const objects = told.length;
  const byConstruct = told.filter(({ idiomatic }) => idiomatic > 0).length;
  const share =
    (100 * told.reduce((sum, { idiomatic }) => sum + idiomatic, 0)) /
    (told.reduce((sum, { fields }) => sum + fields, 0) || 1);
  return (
    `${objects} ${objects === 1 ? 'object' : 'objects'}, each of which the code makes exactly: ${byConstruct} by ` +
    `constructs, ${objects - byConstruct} as they are; ${share.toFixed(0)} % of the fields are properties`
  );
}
