import { deepEqual } from '../json/values';
import { PartStrategy } from '../registry/kind';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { keep } from './define';
import { validatePodSpec } from './pod-validation';

interface EphemeralContainer {
  readonly name?: string;
}

const listOf = (object: AnyObject): EphemeralContainer[] => object.spec?.ephemeralContainers ?? [];

/** Rejects ephemeral containers in a new Pod. */
export function forbidEphemeralContainers(object: AnyObject, fields: Fields): void {
  if (listOf(object).length) fields.child('spec', 'ephemeralContainers').forbidden('cannot be set on create');
}

/** `pods/ephemeralcontainers`: adds ephemeral containers to a Pod; existing ones cannot be changed or removed. */
export const ephemeralContainers: PartStrategy = {
  prepare(object, old) {
    const wanted: unknown = object.spec?.ephemeralContainers;
    keep(object, old, 'spec');
    keep(object, old, 'status');
    if (wanted === undefined) delete object.spec.ephemeralContainers;
    else object.spec.ephemeralContainers = wanted;
    for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences']) {
      keep(object.metadata as AnyObject, old.metadata as AnyObject, field);
    }
  },
  validate(object, old, fields) {
    validatePodSpec(object.spec, fields.child('spec'));
    const at = fields.child('spec', 'ephemeralContainers');
    for (const before of listOf(old)) {
      const now = listOf(object).find(({ name }) => name === before.name);
      if (!now) at.forbidden(`existing ephemeral containers "${before.name}" may not be removed\n`);
      else if (!deepEqual(now, before)) {
        at.forbidden(`existing ephemeral containers "${before.name}" may not be changed\n`);
      }
    }
  },
};
