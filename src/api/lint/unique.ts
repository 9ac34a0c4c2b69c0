import { mistake } from '../admission/rule';
import { type Finding, root } from '../findings';
import { groupOf } from '../kinds/registry';
import type { KubeObject } from '../meta';
import type { World } from './world';

/** Reports two objects with one name, of which the one applied last would win. Reported once, at the later one. */
export function declaredOnce({ apiVersion, kind, metadata }: KubeObject, world: World): Finding[] {
  if (world.isUnique) return [];
  const named = world.named(kind, metadata.namespace, metadata.name ?? '');
  if (named.length < 2) return [];
  const same = named.filter((declared) => groupOf(declared.apiVersion) === groupOf(apiVersion));
  if (same.length < 2) return [];
  const message = `${kind} "${metadata.name}" is declared by ${same.map(({ where }) => where).join(' and ')}`;
  const extra = { type: 'FieldValueDuplicate', value: metadata.name } as const;
  return mistake('object-unique', root.at('metadata', 'name'), message, 'give each its own name', extra);
}
