/** What a user should know of an import besides its code. Pure. */
import { root } from '../../api';
import { secretsInYaml } from '../../api/cloud-init/secrets';
import { isFields } from './difference';
import type { ImportedObject } from './program';

/** Lines for standard error. */
export function notesOn(objects: readonly ImportedObject[]): string[] {
  return [
    ...objects.flatMap(strippedFrom),
    ...objects.flatMap(secretIn),
    ...objects.flatMap(secretUserData),
    ...objects.flatMap(refusedOf),
    summary(objects),
  ];
}

const nameOf = ({ object: { kind, metadata } }: ImportedObject): string =>
  `${kind} ${String(metadata.name ?? metadata.generateName ?? '')}`.trimEnd();

function strippedFrom(told: ImportedObject): string[] {
  return told.stripped.length === 0
    ? []
    : [`${nameOf(told)}: left out, since the cluster wrote it: ${told.stripped.join(', ')}`];
}

/** Values are never told. */
function secretIn(told: ImportedObject): string[] {
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

function secretUserData(told: ImportedObject): string[] {
  if (!userDataIn(told.object).some((text) => secretsInYaml(text, root).length > 0)) return [];
  return [
    `${nameOf(told)}: its user data holds a password or a private key, which is now in the code; keep the data in a ` +
      'Secret, and refer to it by CloudInit.fromSecret',
  ];
}

/** User data of cloud-init, wherever it stands. */
function userDataIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(userDataIn);
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner !== 'string') return userDataIn(inner);
    if (key === 'userData') return [inner];
    return key === 'userDataBase64' ? [Buffer.from(inner, 'base64').toString()] : [];
  });
}

function refusedOf(told: ImportedObject): string[] {
  return told.refusal === undefined
    ? []
    : [`${nameOf(told)}: declared as it is, since its construct refuses it (see the comment in the code)`];
}

function summary(imported: readonly ImportedObject[]): string {
  const count = imported.length;
  const byConstruct = imported.filter(({ idiomatic }) => idiomatic > 0).length;
  const share =
    (100 * imported.reduce((sum, { idiomatic }) => sum + idiomatic, 0)) /
    (imported.reduce((sum, { fields }) => sum + fields, 0) || 1);
  return (
    `${count} ${count === 1 ? 'object' : 'objects'}, each of which the code makes exactly: ${byConstruct} by ` +
    `constructs, ${count - byConstruct} as they are; ${share.toFixed(0)} % of the fields are properties`
  );
}
