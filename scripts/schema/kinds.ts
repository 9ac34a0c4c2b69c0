import { kinds, SchemaFile } from './schemas';

/** `src/api/generated/kinds.ts`: by name, how each kind is served. The only place besides api/schema that spells it. */
export function kindsModule(files: SchemaFile[]): string {
  const rows = kinds(files).map(({ file, name, kind }) => {
    const facts = {
      group: file['x-group'],
      version: file['x-version'],
      versions: kind.versions.map((version) => version.name).sort(byAge),
      kind: name,
      plural: kind.plural,
      singular: name.toLowerCase(),
      shortNames: kind.shortNames,
      namespaced: kind.scope === 'Namespaced',
    };
    return `  ${name}: ${JSON.stringify(facts)},`;
  });
  return [
    '// Generated from api/schema by scripts/generate.ts; edit those files.',
    '/** By name: how each kind is served. `version` is for new objects; `versions` has all that are served, oldest first. */',
    'export const kinds = {',
    ...rows.sort(),
    '} as const;',
    '',
  ].join('\n');
}

/** `v1alpha1`, `v1beta1`, `v1`. */
const byAge = (a: string, b: string): number => ageOf(a) - ageOf(b);

function ageOf(version: string): number {
  const [, major, stage, minor] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  return Number(major) * 1e4 + (stage === 'alpha' ? 0 : stage === 'beta' ? 1e3 : 2e3) + Number(minor ?? 0);
}
