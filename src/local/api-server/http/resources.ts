import { errors, qualified } from '../errors';
import { Kind, partOf, subjectOf } from '../registry/kind';
import { deleteOptions, writeOptions } from '../registry/options';
import { AnyObject } from '../types';
import { Caller, Core, Target } from '../verbs/core';
import { create } from '../verbs/create';
import { decodeObject } from '../verbs/decode';
import { deleteCode, remove } from '../verbs/delete';
import { patch, PATCH_TYPES } from '../verbs/patch';
import { get, list, listText } from '../verbs/read';
import { replace } from '../verbs/update';
import { watch } from '../verbs/watch';
import { contentType, decodeBody, duplicatesIn, readBody } from './body';
import { Context } from './context';
import { negotiate, Wanted } from './negotiate';
import { sendBody, sendJson, shape } from './responder';
import { serveWatch } from './watch-response';

/** Serves a special subresource (`pods/binding`, `serviceaccounts/token`, `scale`). */
export interface Subresource {
  readonly verbs: readonly string[];
  serve(context: Context, target: Target): Promise<void>;
}

export type SubresourceLookup = (kind: Kind, name: string) => Subresource | undefined;

const OBJECT_VERBS = ['get', 'update', 'patch', 'delete', 'watch'];
const COLLECTION_VERBS = ['list', 'watch', 'create', 'deletecollection'];

const storedOnlyWarning = (kind: Kind): string =>
  `${qualified(kind.group, kind.plural)} are only stored: nothing in this cluster acts on them`;

/** Serves a request for objects of `kind`. Resolves when the answer is sent. */
export async function serveResource(
  core: Core,
  kind: Kind,
  subresources: SubresourceLookup,
  context: Context,
): Promise<void> {
  const { info } = context;
  if (kind.custom && kind.deprecation) context.warn(kind.deprecation);
  if (kind.storedOnly && ['create', 'update', 'patch'].includes(info.verb)) context.warn(storedOnlyWarning(kind));
  const target: Target = {
    kind,
    namespace: kind.namespaced ? info.namespace : '',
    name: info.name,
    subresource: info.subresource,
  };
  if (kind.namespaced && !info.namespace && !['list', 'watch'].includes(info.verb)) {
    // POST to the all-namespaces URL and objects without a namespace do not exist as paths.
    throw info.name ? errors.noSuchResource() : errors.methodNotAllowed();
  }
  if (!kind.namespaced && info.namespace && !(kind.plural === 'namespaces' && !kind.group)) {
    throw errors.noSuchResource();
  }
  const part = partOf(kind, info.subresource);
  if (info.subresource && info.subresource !== 'status' && !part) {
    const subresource = subresources(kind, info.subresource);
    if (!subresource) throw kind.custom ? errors.notFound(subjectOf(kind), info.name) : errors.noSuchResource();
    if (!subresource.verbs.includes(info.verb)) throw errors.methodNotAllowed();
    return subresource.serve(context, target);
  }
  if (info.subresource === 'status') {
    if (!kind.status) throw kind.custom ? errors.notFound(subjectOf(kind), info.name) : errors.noSuchResource();
    if (!['get', 'update', 'patch'].includes(info.verb)) throw errors.methodNotAllowed();
  } else if (part) {
    if (!['get', 'update', 'patch'].includes(info.verb)) throw errors.methodNotAllowed();
  } else if (kind.custom && !info.name && ['update', 'patch'].includes(info.verb)) {
    throw errors.badRequest('name must be provided');
  } else if (!allows(kind, info)) {
    throw kind.custom ? errors.methodNotSupported(subjectOf(kind), info.verb) : errors.methodNotAllowed();
  }
  const wanted = negotiate(context.request.headers.accept, !kind.custom);
  const unknownPatch =
    info.verb === 'patch' && !Object.values<string>(PATCH_TYPES).includes(contentType(context.request));
  if (!kind.custom && kind.deprecation && !unknownPatch) context.warn(kind.deprecation);
  return verbs[info.verb](core, target, context, wanted);
}

/** Kubernetes lets custom resources be created at their own URL too. */
function allows(kind: Kind, { verb, name }: Context['info']): boolean {
  if (!kind.verbs.includes(verb)) return false;
  if (name) return OBJECT_VERBS.includes(verb) || (kind.custom && verb === 'create');
  return COLLECTION_VERBS.includes(verb);
}

type Serve = (core: Core, target: Target, context: Context, wanted: Wanted) => Promise<void>;

function reply(context: Context, kind: Kind, wanted: Wanted, code: number, value: object): void {
  const body = shape(value, kind, wanted, context.info.query);
  sendJson(context.response, code, body, wanted.yaml ? 'application/yaml' : 'application/json');
}

/** The caller of a write, from the query's options. */
export function writer(context: Context, kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions', apply = false) {
  const options = writeOptions(context.info.query, kind, apply);
  const caller: Caller = {
    user: context.user,
    manager: options.fieldManager || context.defaultManager,
    dryRun: options.dryRun,
    fieldValidation: options.fieldValidation,
    given: {
      fieldManager: context.info.query.get('fieldManager') ?? undefined,
      fieldValidation: context.info.query.get('fieldValidation') ?? undefined,
    },
    warn: (message) => context.warn(message),
    annotate: (key, value) => context.annotate(key, value),
  };
  return { caller, options };
}

/** The object in the body of a request. @throws StatusError */
export async function readObject(context: Context, kind: Kind, caller: Caller): Promise<AnyObject> {
  const body = await readBody(context.request);
  const type = contentType(context.request);
  const decoded = decodeBody(body, type, kind.kind);
  return decodeObject(decoded, kind, caller, caller.fieldValidation === 'Ignore' ? [] : duplicatesIn(body, type));
}

const verbs: Record<string, Serve> = {
  async get(core, target, context, wanted) {
    reply(context, target.kind, wanted, 200, await get(core, target, context.info.query.get('resourceVersion')));
  },

  async list(core, target, context, wanted) {
    const { query } = context.info;
    if (wanted.as !== 'object' || wanted.yaml)
      reply(context, target.kind, wanted, 200, await list(core, target, query));
    else sendBody(context.response, 200, `${await listText(core, target, query)}\n`);
  },

  async watch(core, target, context, wanted) {
    await serveWatch(context, watch(core, target, context.info.query), target.kind, wanted);
  },

  async create(core, target, context, wanted) {
    const { caller } = writer(context, 'CreateOptions');
    const object = await readObject(context, target.kind, caller);
    reply(context, target.kind, wanted, 201, await create(core, target, object, caller));
  },

  async update(core, target, context, wanted) {
    const { caller } = writer(context, 'UpdateOptions');
    const object = await readObject(context, target.kind, caller);
    const written = await replace(core, target, object, caller);
    reply(context, target.kind, wanted, written.created ? 201 : 200, written.object);
  },

  async patch(core, target, context, wanted) {
    const type = contentType(context.request);
    const { caller, options } = writer(context, 'PatchOptions', type === PATCH_TYPES.apply);
    const body = await readBody(context.request);
    const written = await patch(core, target, { type, body, force: options.force }, caller);
    reply(context, target.kind, wanted, written.created ? 201 : 200, written.object);
  },

  async delete(core, target, context, wanted) {
    const { caller, options } = await deleter(context);
    const deleted = await remove(core, target, options, caller);
    reply(context, target.kind, wanted, deleteCode(deleted, options), deleted.result);
  },

  async deletecollection(core, target, context, wanted) {
    const { caller, options } = await deleter(context);
    const found = await list(core, target, context.info.query);
    for (const { metadata } of found.items) {
      const one = { ...target, name: metadata.name!, namespace: metadata.namespace ?? '' };
      try {
        await remove(core, one, options, caller);
      } catch (error) {
        if ((error as { code?: number }).code !== 404) throw error;
      }
    }
    reply(context, target.kind, wanted, 200, found);
  },
};

async function deleter(context: Context) {
  const body = await readBody(context.request);
  const decoded = body.length ? decodeBody(body, contentType(context.request), 'DeleteOptions') : undefined;
  const options = deleteOptions(context.info.query, decoded);
  const caller: Caller = {
    user: context.user,
    manager: context.defaultManager,
    dryRun: options.dryRun,
    fieldValidation: 'Ignore',
    warn: (message) => context.warn(message),
    annotate: (key, value) => context.annotate(key, value),
  };
  return { caller, options };
}
