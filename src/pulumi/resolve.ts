import { guessing, NoGuess, search, type Variant, type Mistake, mistakesOf } from './guesses';
import { formatFinding, root, ValidationError } from '../api/findings';
import { validateApp } from './invalid-app';
import { marked, secret, unknown, type Other } from './influence';
import { manifests, plainFields, type Manifest } from './manifests';
import { prerequisites } from './order';
import { settle, type Variable } from './outputs';
import { ingredients, Reading, type Instance } from './reading';
import type { Recording } from './recording';
import { rejectStringifiedOutputs } from './stringified';

/** An object to register. */
export interface ResolvedObject {
  /** Path of its construct below the component's construct; empty for the component's main object. */
  readonly path: string;
  readonly manifest: Manifest;
  /** Fields of the manifest. Secret and unknown values are marked. */
  readonly fields: Record<string, unknown>;
  /** Paths of the objects that must exist first. */
  readonly after: readonly string[];
}

/** Constructs and objects of a component, after its Outputs are settled. */
export interface Resolved {
  readonly instance: Instance;
  readonly objects: readonly ResolvedObject[];
  /** Whether the objects could not be validated, because no valid placeholder for an unknown Output was found. */
  readonly unvalidated: boolean;
}

/** @throws every mistake that does not depend on the values of unknown Outputs */
export async function resolve(recording: Recording): Promise<Resolved> {
  const variables = [...ingredients(recording.parts()).variables];
  const settled = new Map(await Promise.all(variables.map(async (it) => [it, await settle(it)] as const)));
  for (const { value } of settled.values()) rejectStringifiedOutputs(recording.name, value);
  const isSecret = (variable: Variable): boolean => settled.get(variable)?.secret ?? false;
  const unknowns = variables.filter((variable) => !settled.get(variable)?.known);
  const secrets = variables.filter(isSecret);

  const make = (guessed: readonly Variable[], variant: Variant, validate: boolean): Instance =>
    search(guessed, variant, (guess) => {
      const value = (variable: Variable): unknown => {
        if (guessed.includes(variable)) return guess(variable);
        const it = settled.get(variable);
        return it?.known ? it.value : guessing('a')(variable);
      };
      const instance = new Reading(value, isSecret).instance(recording);
      if (validate) validateApp(instance.chart);
      return instance;
    });
  const others = (differing: readonly Variable[], mark: Other['mark']) =>
    differing.length > 0 ? [{ objects: attempted(() => manifests(make(differing, 'b', false))), mark }] : [];

  const { instance, unvalidated } = withoutSecrets(
    () =>
      validated(
        () => make(unknowns, 'a', true),
        () => make(unknowns, 'a', false),
      ),
    recording.name,
    secrets.map((variable) => settled.get(variable)?.value),
    () => mistakesMaking(() => make([...unknowns, ...secrets], 'a', true)),
  );
  const variants = [...others(unknowns, unknown), ...others(secrets, secret)];
  const all = manifests(instance);
  const first = prerequisites(all);
  const objects = [...all].map(([path, { manifest }]) => {
    const made = variants.map(({ objects, mark }) => ({ value: objects?.get(path)?.manifest, mark }));
    return { path, manifest, fields: fieldsOf(manifest, made), after: first.get(path) ?? [] };
  });
  return { instance, objects, unvalidated };
}

function validated(exact: () => Instance, unchecked: () => Instance): { instance: Instance; unvalidated: boolean } {
  try {
    return { instance: exact(), unvalidated: false };
  } catch (error) {
    if (!(error instanceof NoGuess) || error.mistakes.length > 0) throw error;
    return { instance: unchecked(), unvalidated: true };
  }
}

/** Reports mistakes that do not depend on secrets in full, and only the places of the others. */
function withoutSecrets<T>(
  make: () => T,
  name: string,
  secrets: readonly unknown[],
  others: () => readonly Mistake[],
): T {
  try {
    return make();
  } catch (error) {
    if (secrets.length === 0 || !(error instanceof Error)) throw error;
    const open = new Set(others().map(({ text }) => text));
    const hidesKeys = secrets.some((value) => typeof value === 'object');
    const mistakes = mistakesOf(error).map(({ text, place, finding }): Mistake => {
      if (open.has(text)) return { text, finding };
      const subject = hidesKeys ? name : (place ?? name);
      const cause = 'the value depends on a secret that is not valid here';
      if (!finding) return { text: `${subject}: ${cause}` };
      const hidden = { rule: finding.rule, path: root, subject, cause, remedy: 'correct the secret' };
      return { text: formatFinding(hidden), finding: hidden };
    });
    throw new ValidationError(
      mistakes.flatMap(({ finding }) => finding ?? []),
      mistakes.map(({ text }) => text).join('\n'),
    );
  }
}

function mistakesMaking(make: () => unknown): readonly Mistake[] {
  try {
    make();
    return [];
  } catch (error) {
    if (error instanceof NoGuess) return mistakesOf(error.cause);
    throw error;
  }
}

function attempted<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof NoGuess) return undefined;
    throw error;
  }
}

function fieldsOf(manifest: Manifest, others: readonly Other[]): Record<string, unknown> {
  // an object that the other variant lacks depends on the variables as a whole
  const compared = others.map(({ value, mark }) => ({ value: value ?? bare(manifest), mark }));
  return plainFields(manifest, marked(manifest, compared) as Record<string, unknown>);
}

function bare({ apiVersion, kind, metadata: { name, namespace } }: Manifest): object {
  return { apiVersion, kind, metadata: { name, namespace } };
}
