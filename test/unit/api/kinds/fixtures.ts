import { admissionOf, clusterConfig } from '../../../../src/api';
import type { AdmissionContext, Finding, KubeObject } from '../../../../src/api';
import { configured, type Loose } from '../fixtures';

export { configured, type Loose };

/** A cluster that holds these objects. */
export function cluster(...objects: Loose[]): Pick<AdmissionContext, 'find' | 'list'> {
  const of = (kind: string, namespace: string | undefined): KubeObject[] =>
    objects.filter((each) => each.kind === kind && (namespace === undefined || each.metadata.namespace === namespace));
  return {
    find: (kind, namespace, name) => of(kind, namespace).find(({ metadata }) => metadata.name === name),
    list: of,
  };
}

/** A user in a cluster with the default configuration. */
export function context(more: Partial<AdmissionContext> = {}): AdmissionContext {
  return { config: clusterConfig(), by: { trusted: false }, ...cluster(), ...more };
}

/** The platform's configuration with these gates. */
export const withGates = (featureGates: string[], disabledFeatureGates: string[] = []) =>
  configured({ developerConfiguration: { featureGates, disabledFeatureGates } });

/** `rule path`, and ` as field` where the webhook's answer names another one. */
export const named = (errors: readonly Finding[]): string[] =>
  errors.map(({ rule, path, field }) => `${rule} ${path}${field === undefined ? '' : ` as ${field || 'nothing'}`}`);

/** An object of a kind. */
export const object = (apiVersion: string, kind: string, spec: object, metadata: object = {}): Loose => ({
  apiVersion,
  kind,
  metadata: { name: 'x', namespace: 'default', ...metadata },
  spec,
});

const rulesOf = (of: Loose) => {
  const rules = admissionOf(of);
  if (!rules) throw new Error(`no rules for ${of.kind}`);
  return rules;
};

/** Findings of a creation. */
export const created = (given: Loose, more?: Partial<AdmissionContext>): string[] =>
  named(rulesOf(given).create(given, context(more)));

/** Findings of an update of `old`. */
export const updated = (given: Loose, old: Loose, more?: Partial<AdmissionContext>): string[] =>
  named(rulesOf(given).update?.(given, old, context(more)) ?? []);

/** Findings of a deletion. */
export const deleted = (given: Loose, more?: Partial<AdmissionContext>): string[] =>
  named(rulesOf(given).delete?.(given, context(more)) ?? []);

/** The object as the mutating webhook leaves it. */
export const mutated = (given: Loose, more?: Partial<AdmissionContext>): Loose =>
  rulesOf(given).mutate?.(given, context(more)) ?? given;

export const warned = (given: Loose, old?: Loose): string[] => rulesOf(given).warnings?.(given, context(), old) ?? [];
