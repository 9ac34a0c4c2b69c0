/** Notes about an import for the user. Pure. */
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
    ...objects.flatMap(rejectedOf),
    summary(objects),
  ];
}

const nameOf = ({ object: { kind, metadata } }: ImportedObject): string =>
  `${kind} ${String(metadata.name ?? metadata.generateName ?? '')}`.trimEnd();

function strippedFrom(imported: ImportedObject): string[] {
  return imported.stripped.length === 0
    ? []
    : [`${nameOf(imported)}: omitted, because the cluster sets it: ${imported.stripped.join(', ')}`];
}

/** Returns the keys of an imported Secret, never their values. */
function secretIn(imported: ImportedObject): string[] {
  const { kind, apiVersion, data, stringData } = imported.object;
  if (kind !== 'Secret' || apiVersion !== 'v1') return [];
  const keys = [data, stringData].flatMap((held) =>
    typeof held === 'object' && held !== null ? Object.keys(held) : [],
  );
  if (keys.length === 0) return [];
  return [
    `${nameOf(imported)}: its values (${keys.join(', ')}) are now in the code; read them from the environment ` +
      '(process.env), or remove the Secret from the code and create it outside of version control',
  ];
}

function secretUserData(imported: ImportedObject): string[] {
  if (!userDataIn(imported.object).some((text) => secretsInYaml(text, root).length > 0)) return [];
  return [
    `${nameOf(imported)}: its user data holds a password or a private key, which is now in the code; keep the data in a ` +
      'Secret, and refer to it by CloudInit.fromSecret',
  ];
}

/** Finds the user data of cloud-init anywhere in an object. */
function userDataIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(userDataIn);
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner !== 'string') return userDataIn(inner);
    if (key === 'userData') return [inner];
    return key === 'userDataBase64' ? [Buffer.from(inner, 'base64').toString()] : [];
  });
}

function rejectedOf(imported: ImportedObject): string[] {
  return imported.rejection === undefined
    ? []
    : [
        `${nameOf(imported)}: declared as a plain object, because its construct rejects it (see the comment in the code)`,
      ];
}

function summary(imported: readonly ImportedObject[]): string {
  const count = imported.length;
  const byConstruct = imported.filter(({ idiomatic }) => idiomatic > 0).length;
  const share =
    (100 * imported.reduce((sum, { idiomatic }) => sum + idiomatic, 0)) /
    (imported.reduce((sum, { fields }) => sum + fields, 0) || 1);
  return (
    `${count} ${count === 1 ? 'object' : 'objects'}, all reproduced exactly: ${byConstruct} as ` +
    `constructs, ${count - byConstruct} as plain objects; ${share.toFixed(0)} % of the fields are properties`
  );
}
