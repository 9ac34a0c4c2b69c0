import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Options of jsii for every script. A compressed assembly is a tenth of its size in the package. */
export const JSII_FLAGS = ['--silence-warnings=reserved-word', '--compress-assembly'];

/** The parts of jsii's assembly that the generators read. */
export type Reference =
  | { readonly primitive: string }
  | { readonly fqn: string }
  | { readonly collection: { readonly kind: 'array' | 'map'; readonly elementtype: Reference } }
  | { readonly union: { readonly types: readonly Reference[] } };

export interface Docs {
  readonly summary?: string;
  readonly remarks?: string;
  readonly default?: string;
  readonly example?: string;
  readonly returns?: string;
  readonly see?: string;
  readonly deprecated?: string;
}

/** A property or a parameter. */
export interface Value {
  readonly name: string;
  readonly type: Reference;
  readonly docs?: Docs;
  readonly optional?: boolean;
  readonly variadic?: boolean;
  readonly const?: boolean;
  readonly static?: boolean;
  readonly protected?: boolean;
}

export interface Method {
  readonly name: string;
  readonly docs?: Docs;
  readonly static?: boolean;
  readonly protected?: boolean;
  readonly parameters?: readonly Value[];
  readonly returns?: { readonly type: Reference; readonly optional?: boolean };
}

export interface Type {
  readonly kind: 'class' | 'interface' | 'enum';
  readonly name: string;
  readonly fqn: string;
  readonly docs?: Docs;
  readonly abstract?: boolean;
  /** Whether it is a struct. */
  readonly datatype?: boolean;
  readonly base?: string;
  readonly interfaces?: readonly string[];
  readonly properties?: readonly Value[];
  readonly methods?: readonly Method[];
  readonly members?: readonly { readonly name: string; readonly docs?: Docs }[];
  readonly initializer?: {
    readonly docs?: Docs;
    readonly protected?: boolean;
    readonly parameters?: readonly Value[];
  };
  readonly locationInModule: { readonly filename: string };
}

/** Types by their full names, `virt8s.Disk`. */
export type Types = Readonly<Record<string, Type>>;

/** Prefix of the full names of our own types. */
export const OWN = 'virt8s.';

/** Types of the assembly in a folder; large assemblies are compressed. */
export function typesIn(folder: string): Types {
  const assembly = JSON.parse(readFileSync(join(folder, '.jsii'), 'utf8'));
  if (assembly.schema !== 'jsii/file-redirect') return assembly.types;
  return JSON.parse(gunzipSync(readFileSync(join(folder, assembly.filename))).toString('utf8')).types;
}
