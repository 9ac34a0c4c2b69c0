import { errors } from '../errors';
import { contentType, decodeBody, readBody } from '../http/body';
import { sendJson } from '../http/responder';
import { Subresource, writer } from '../http/resources';
import { clone } from '../json/values';
import { subjectOf } from '../registry/kind';
import { StaleError } from '../store/store';
import { AnyObject, timestamp } from '../types';
import { attributes, commit, Core, keyOf, optionsObject } from '../verbs/core';
import { Fields } from '../validation/fields';

const BINDING = { group: '', version: 'v1', kind: 'Binding' };

/** `pods/binding`: assigns a Pod to a node. */
export function podBinding(core: Core): Subresource {
  return {
    verbs: ['create'],
    async serve(context, target) {
      const { kind, namespace, name } = target;
      const body = await readBody(context.request);
      const binding = decodeBody(body, contentType(context.request), 'Binding') as AnyObject;
      const node: string = binding.target?.name ?? '';
      if (!node) {
        const { causes } = Fields.root('target.name').required();
        throw errors.invalid('', 'Binding', name, causes);
      }
      const { caller } = writer(context, 'CreateOptions');
      const request = {
        ...attributes('CREATE', target, caller, binding, undefined, optionsObject('CreateOptions', caller)),
        objectKind: BINDING,
      };
      await core.admission.mutate(request);
      await core.admission.validate(request);
      const key = keyOf(kind, namespace, name);
      for (let attempt = 1; ; attempt++) {
        const pod = core.store.get(key);
        if (!pod) throw errors.notFound(subjectOf(kind), name);
        if (pod.metadata.deletionTimestamp) {
          throw errors.conflict(
            { group: '', resource: 'pods/binding' },
            name,
            `pod ${name} is being deleted, cannot be assigned to a host`,
          );
        }
        if (pod.spec.nodeName) {
          throw errors.conflict(
            { group: '', resource: 'pods/binding' },
            name,
            `pod ${name} is already assigned to node ${JSON.stringify(pod.spec.nodeName)}`,
          );
        }
        if (caller.dryRun) break;
        const next = bind(pod, node, binding);
        try {
          await commit(core, () => core.store.update(key, next, pod.metadata.resourceVersion!));
          break;
        } catch (error) {
          if (!(error instanceof StaleError) || attempt === 5) throw error;
        }
      }
      sendJson(context.response, 201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
    },
  };
}

function bind(pod: AnyObject, node: string, binding: AnyObject): AnyObject {
  const next = clone(pod);
  next.spec.nodeName = node;
  const annotations = binding.metadata?.annotations;
  if (annotations) next.metadata.annotations = { ...next.metadata.annotations, ...annotations };
  const status = (next.status ??= {});
  const others = (status.conditions ?? []).filter((condition: { type: string }) => condition.type !== 'PodScheduled');
  status.conditions = [
    ...others,
    { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: timestamp() },
  ];
  return next;
}
