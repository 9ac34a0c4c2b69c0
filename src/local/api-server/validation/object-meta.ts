import { deepEqual } from '../json/values';
import { Kind } from '../registry/kind';
import { AnyObject } from '../types';
import { Fields } from './fields';
import { isDns1123Label, isLabelValue, isQualifiedName } from './names';

const ANNOTATIONS_LIMIT = 256 * 1024;

/** Groups whose finalizers may be any qualified name; the others accept standard finalizers and names with a prefix. */
const ANY_FINALIZER: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'coordination.k8s.io',
  'policy',
]);
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(['kubernetes', 'foregroundDeletion', 'orphan']);

type NamedKind = Pick<Kind, 'group' | 'custom' | 'namespaced' | 'nameRule'>;

/** Validates the metadata of every object. */
export function validateObjectMeta(object: AnyObject, kind: NamedKind, fields: Fields): void {
  const { namespaced, nameRule } = kind;
  const { metadata } = object;
  if (metadata.generateName) {
    fields.child('generateName').invalidEach(metadata.generateName, nameRule(metadata.generateName, true));
  }
  if (!metadata.name) fields.child('name').required('name or generateName is required');
  else fields.child('name').invalidEach(metadata.name, nameRule(metadata.name, false));
  if (namespaced) {
    if (!metadata.namespace) fields.child('namespace').required();
    else fields.child('namespace').invalidEach(metadata.namespace, isDns1123Label(metadata.namespace));
  } else if (metadata.namespace) {
    fields.child('namespace').forbidden('not allowed on this type');
  }
  validateLabels(metadata.labels, fields.child('labels'));
  validateAnnotations(metadata.annotations, fields.child('annotations'));
  validateOwners(metadata.ownerReferences, fields.child('ownerReferences'));
  validateFinalizers(metadata.finalizers, kind, fields.child('finalizers'));
}

export function validateObjectMetaUpdate(next: AnyObject, old: AnyObject, fields: Fields): void {
  if (old.metadata.deletionTimestamp) {
    const added = (next.metadata.finalizers ?? []).filter((name) => !old.metadata.finalizers?.includes(name));
    if (added.length) {
      const shown = `[]string{${added.map((name) => JSON.stringify(name)).join(', ')}}`;
      fields
        .child('finalizers')
        .forbidden(`no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`);
    }
  }
  for (const field of [
    'name',
    'namespace',
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ] as const) {
    if (!deepEqual(next.metadata[field], old.metadata[field])) {
      fields.child(field).invalid(next.metadata[field] ?? null, 'field is immutable');
    }
  }
  validateLabels(next.metadata.labels, fields.child('labels'));
  validateAnnotations(next.metadata.annotations, fields.child('annotations'));
  validateOwners(next.metadata.ownerReferences, fields.child('ownerReferences'));
}

export function validateLabels(labels: Record<string, string> | undefined, fields: Fields): void {
  for (const [key, value] of Object.entries(labels ?? {})) {
    fields.invalidEach(key, isQualifiedName(key));
    fields.invalidEach(value, isLabelValue(value));
  }
}

export function validateAnnotations(annotations: Record<string, string> | undefined, fields: Fields): void {
  let size = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    fields.invalidEach(key, isQualifiedName(key.toLowerCase()));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > ANNOTATIONS_LIMIT) fields.tooLong(ANNOTATIONS_LIMIT);
}

function validateOwners(owners: AnyObject['metadata']['ownerReferences'], fields: Fields): void {
  let controller = '';
  for (const owner of owners ?? []) {
    const version = (owner.apiVersion ?? '').split('/').pop();
    if (!version) fields.child('apiVersion').invalid(owner.apiVersion ?? '', 'version must not be empty');
    for (const field of ['kind', 'name', 'uid'] as const) {
      if (!owner[field]) fields.child(field).invalid(owner[field] ?? '', 'must not be empty');
    }
    if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
      fields.invalid(owner, '/v1, Kind=Event is disallowed from being an owner');
    }
    if (!owner.controller) continue;
    const current = `${owner.kind}/${owner.name}`;
    if (controller) {
      fields.invalid(
        owners,
        `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`,
      );
    } else controller = current;
  }
}

function validateFinalizers(finalizers: string[] | undefined, kind: NamedKind, fields: Fields): void {
  for (const name of finalizers ?? []) fields.invalidEach(name, isQualifiedName(name));
  if (finalizers?.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    fields.invalid(finalizers, 'finalizer orphan and foregroundDeletion cannot be both set');
  }
  if (kind.custom || ANY_FINALIZER.has(kind.group)) return;
  for (const [i, name] of (finalizers ?? []).entries()) {
    if (name.includes('/') || STANDARD_FINALIZERS.has(name) || isQualifiedName(name).length) continue;
    fields.index(i).invalid(name, 'name is neither a standard finalizer name nor is it fully qualified');
  }
}
