import { errors } from '../errors';
import { contentType, decodeBody, readBody } from '../http/body';
import { sendJson } from '../http/responder';
import { Subresource } from '../http/resources';
import { clone } from '../json/values';
import { subjectOf } from '../registry/kind';
import { AnyObject } from '../types';
import { Core, keyOf, read } from '../verbs/core';

/** `namespaces/finalize`: removes entries of `spec.finalizers`; the namespace is deleted with the last one. */
export function namespaceFinalize(core: Core): Subresource {
  return {
    verbs: ['update'],
    async serve(context, { kind, name }) {
      const body = await readBody(context.request);
      const given = decodeBody(body, contentType(context.request), 'Namespace') as AnyObject;
      const current = read(core, kind, '', name);
      if (!current) throw errors.notFound(subjectOf(kind), name);
      const next = clone(current);
      const finalizers: string[] = given.spec?.finalizers ?? [];
      next.spec = finalizers.length ? { ...next.spec, finalizers } : {};
      const version = given.metadata?.resourceVersion || current.metadata.resourceVersion!;
      const key = keyOf(kind, '', name);
      const gone = next.metadata.deletionTimestamp && !finalizers.length && !next.metadata.finalizers?.length;
      if (gone) core.store.delete(key, version);
      sendJson(context.response, 200, gone ? next : core.store.update(key, next, version));
    },
  };
}
