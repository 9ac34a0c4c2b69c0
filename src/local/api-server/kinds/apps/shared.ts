import { deepEqual } from '../../json/values';
import { ScalePaths, StrategyContext } from '../../registry/kind';
import { matchLabelSelector } from '../../registry/label-selector';
import { selector } from '../../table/format';
import { AnyObject } from '../../types';
import { Fields } from '../../validation/fields';
import { isEmptySelector, LabelSelector, validateLabelSelector } from '../../validation/label-selector';
import { isDns1123Label } from '../../validation/names';
import { validateAnnotations, validateLabels } from '../../validation/object-meta';
import { defaultPodSpec } from '../pod-defaults';
import { validatePodSpec } from '../pod-validation';
import { podWarnings } from '../pod-warnings';

/** Rules that the kinds with a Pod template share. */

type Spec = AnyObject['spec'];

export const APPS = {
  group: 'apps',
  version: 'v1',
  namespaced: true,
  categories: ['all'],
  status: true,
  generation: true,
} as const;

/** The selector of the scale subresource comes from the spec. */
export const REPLICAS: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
};

export const DEFAULT_HISTORY = 10;

/** Columns of `-o wide` of a kind whose Pod template is in the spec that `specOf` finds. */
export function wideOf(specOf: (object: AnyObject) => Spec) {
  const column = (field: 'name' | 'image') => (object: AnyObject) =>
    ((specOf(object)?.template?.spec?.containers ?? []) as Record<string, string>[])
      .map((container) => container[field])
      .join(',');
  return { Containers: column('name'), Images: column('image') };
}

/** As `wideOf`, with the selector. */
export const wideWithSelectorOf = (specOf: (object: AnyObject) => Spec) => ({
  ...wideOf(specOf),
  Selector: (object: AnyObject) => selector(specOf(object)?.selector),
});

export const wide = wideOf(({ spec }) => spec);
export const wideWithSelector = wideWithSelectorOf(({ spec }) => spec);

/** Sets defaults of the template, and returns the spec. */
export function defaultTemplate(object: AnyObject): Spec {
  const spec = (object.spec ??= {});
  const template = (spec.template ??= {});
  template.metadata ??= {};
  defaultPodSpec((template.spec ??= {}), false);
  return spec;
}

export function nonNegative(spec: Spec, names: readonly string[], at: Fields): void {
  for (const name of names) {
    if (spec?.[name] < 0) at.child(name).invalid(spec[name], 'must be greater than or equal to 0');
  }
}

export interface SelectorRules {
  /** Name of the kind in the message about an empty selector. */
  readonly subject: string;
  /** Message about a selector that cannot be evaluated, if there is one. */
  readonly invalid?: string;
  /** Whether an absent selector is reported at the selector itself. */
  readonly required: boolean;
}

/** Validates the selector. Returns whether it selects the template's labels, or undefined if it cannot be evaluated. */
export function validateSelector(spec: Spec, rules: SelectorRules, at: Fields): boolean | undefined {
  const own: LabelSelector | undefined = spec.selector ?? undefined;
  const field = at.child('selector');
  if (!own) {
    if (rules.required) field.required();
    return false;
  }
  const valid = validateLabelSelector(own, field);
  const empty = isEmptySelector(own);
  if (empty) field.invalid(own, `empty selector is invalid for ${rules.subject}`);
  if (!valid) {
    if (rules.invalid !== undefined) field.invalid(own, rules.invalid);
    return undefined;
  }
  return empty || matchLabelSelector(own as Parameters<typeof matchLabelSelector>[0])(spec.template?.metadata?.labels);
}

/** Reports that the selector does not select the Pods of the template. */
export function reportMismatch({ template }: Spec, at: Fields): void {
  at.child('template', 'metadata', 'labels').invalid(
    template?.metadata?.labels ?? null,
    '`selector` does not match template `labels`',
  );
}

export function validateTemplate(template: Spec = {}, at: Fields): void {
  validateLabels(template.metadata?.labels, at.child('labels'));
  validateAnnotations(template.metadata?.annotations, at.child('annotations'));
  validatePodSpec(template.spec, at.child('spec'));
  if (template.spec?.ephemeralContainers?.length) {
    at.child('spec', 'ephemeralContainers').forbidden('ephemeral containers not allowed in pod template');
  }
}

/** Pods of these kinds run until they are deleted. */
export function validateLongRunning({ template }: Spec, kind: string, at: Fields): void {
  const { restartPolicy, activeDeadlineSeconds } = template?.spec ?? {};
  const field = at.child('template', 'spec');
  if (restartPolicy !== 'Always') field.child('restartPolicy').notSupported(restartPolicy ?? '', ['Always']);
  if (activeDeadlineSeconds !== undefined) {
    field.child('activeDeadlineSeconds').forbidden(`activeDeadlineSeconds in ${kind} is not Supported`);
  }
}

/** Selector and template of a ReplicaSet or Deployment. */
export function validateReplicated(spec: Spec, at: Fields): void {
  const rules = { subject: 'deployment', invalid: 'invalid label selector', required: true };
  const matches = validateSelector(spec, rules, at);
  if (matches === undefined) return;
  if (!matches) reportMismatch(spec, at);
  validateTemplate(spec.template, at.child('template'));
  validateLongRunning(spec, 'ReplicaSet', at);
}

/** Numbers of the status that may not be larger than another one. */
export function notGreater(status: Spec, names: readonly string[], than: string, message: string, at: Fields): void {
  for (const name of names) {
    if ((status[name] ?? 0) > (status[than] ?? 0)) at.child(name).invalid(status[name], message);
  }
}

export function notDecremented(next: Spec, old: Spec, at: Fields): void {
  const [now, before] = [next?.collisionCount, old?.collisionCount];
  if (before !== undefined && (now ?? -1) < before) {
    at.child('collisionCount').invalid(now ?? 0, 'cannot be decremented');
  }
}

export function immutableSelector(next: AnyObject, old: AnyObject, fields: Fields): void {
  if (deepEqual(next.spec?.selector, old.spec?.selector)) return;
  fields.child('spec', 'selector').invalid(next.spec?.selector ?? null, 'field is immutable');
}

/** Percentages and numbers of Pods. */
export function validateIntOrPercent(value: unknown, at: Fields): void {
  if (typeof value === 'string' && !/^[0-9]+%$/.test(value)) {
    at.invalid(
      value,
      `a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
    );
  }
  if (typeof value === 'number' && value < 0) at.invalid(value, 'must be greater than or equal to 0');
}

export function atMost100Percent(value: unknown, at: Fields): void {
  const percent = typeof value === 'string' ? /^([0-9]+)%$/.exec(value)?.[1] : undefined;
  if (percent !== undefined && Number(percent) > 100) at.invalid(value, 'must not be greater than 100%');
}

/** The number in an integer, a percentage, or other text as Go reads it. */
export function numberIn(value: unknown): number {
  if (typeof value === 'number') return value;
  return /^[-+]?\d+%?$/.test(String(value)) ? parseInt(String(value), 10) : 0;
}

/** Warns about the template when it is new or changes. */
export function warnAboutTemplate({ spec }: AnyObject, { warn }: StrategyContext): void {
  podWarnings(spec?.template ?? {}, 'spec.template.').forEach((warning) => warn(warning));
}

/** Warns about a name that is not a label, because Pods are named after it. */
export function warnAboutName({ metadata }: AnyObject, { warn }: StrategyContext): void {
  const wrong = isDns1123Label(metadata.name ?? '');
  if (!wrong.length) return;
  warn(
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${wrong.join(' ')}]`,
  );
}
