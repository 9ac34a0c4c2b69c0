import { entryType, isAssociative } from './typed';
import { own } from '../json/values';
import { TypeSchema } from '../schema/type-schema';
import { FieldSet } from './field-set';
import { fieldName, PathElement } from './path-element';

/**
 * Adapts stored ownership to a changed type: managers of elements of a list or map that is now atomic
 * own the whole. Returns the same set if nothing changes.
 */
export function reconcileWithSchema(set: FieldSet, schema: TypeSchema): FieldSet {
  const changed = new FieldSet();
  visit(set, false, schema, [], changed);
  return changed.empty ? set : set.recursiveDifference(changed).union(changed);
}

function visit(
  set: FieldSet | undefined,
  leaf: boolean,
  schema: TypeSchema,
  path: readonly PathElement[],
  changed: FieldSet,
): void {
  if (schema.kind === 'list') {
    if (!leaf && !isAssociative(schema)) return changed.insert(path);
  } else if (schema.kind === 'map') {
    if (!schema.fields && schema.values?.kind === 'any') return;
    if (!leaf && schema.atomic) {
      if (set && !set.empty) changed.insert(path);
      return;
    }
  } else return;
  if (!set) return;
  for (const element of new Set([...set.children.keys(), ...set.members])) {
    const name = fieldName(element);
    if (schema.kind === 'map' && name !== undefined && !own(schema.fields, name) && !schema.values) continue;
    const below = schema.kind === 'list' ? schema.items : entryType(schema, name ?? '');
    const child = set.children.get(element);
    if (below) visit(child, set.members.has(element) && !child, below, [...path, element], changed);
  }
}
