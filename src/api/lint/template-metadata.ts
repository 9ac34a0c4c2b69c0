/** Metadata of the template of a guest that the platform replaces. */
import { mistake } from '../admission/rule';
import { type Finding, root } from '../findings';
import { keys } from '../keys';
import { guestTemplateOf } from '../kinds/registry';
import type { KubeObject } from '../meta';
import { guestsIn, HOST_LABEL } from './network-guests';
import { type Json, objectAt, textAt } from './read';

const none: readonly Finding[] = [];
const OWN_LABELS = [HOST_LABEL, keys.createdBy, keys.nodeName];

/** Reports names, namespaces and labels of a template that differ from those which its guest gets. */
export function templateMetadata(object: KubeObject): readonly Finding[] {
  const path = guestTemplateOf(object);
  const metadata = path && path.length > 0 ? objectAt(object, ...path, 'metadata') : undefined;
  if (!metadata) return none;
  const at = root.at(...path!, 'metadata');
  const isVm = object.kind === 'VirtualMachine';
  const { name, namespace } = object.metadata;
  const names = (['name', 'generateName'] as const).flatMap((field) => {
    const got = textAt(metadata, field);
    if (got === undefined || (isVm && field === 'name' && got === name)) return [];
    const cause = isVm
      ? `is ignored: the instance has the name of its VM, "${name}"`
      : 'is ignored: names of the guests are generated';
    return mistake('template-metadata', at.at(field), `"${got}" ${cause}`, 'leave it out', { value: got });
  });
  const other = textAt(metadata, 'namespace');
  const elsewhere =
    other === undefined || namespace === undefined || other === namespace
      ? none
      : mistake(
          'template-metadata',
          at.at('namespace'),
          `"${other}" is ignored: the guest runs in the namespace of its ${object.kind}, "${namespace}"`,
          'leave it out',
          { value: other },
        );
  return [...names, ...elsewhere, ...labels(object, metadata, path!)];
}

/** The platform writes these labels of a guest's Pod, and Services select it by them. */
function labels(object: KubeObject, metadata: Json, path: readonly string[]): readonly Finding[] {
  const given = objectAt(metadata, 'labels');
  if (!given) return none;
  const host = object.kind === 'VirtualMachine' ? guestsIn(object)?.podLabels[HOST_LABEL] : undefined;
  return OWN_LABELS.flatMap((label) => {
    const got = given[label];
    if (got === undefined || got === host) return [];
    const cause = `the platform sets the label ${label} of each guest, and replaces "${String(got)}"`;
    const where = root.at(...path, 'metadata', 'labels', label);
    return mistake('template-metadata', where, cause, 'use a label of your own', { value: got });
  });
}
