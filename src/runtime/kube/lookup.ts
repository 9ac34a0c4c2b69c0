import type { Access, Enough, Find, FindAll, KubeObject } from '../../api';
import { ApiError, isNotFound } from './api-error';
import type { KubeClient } from './client';
import { allKinds } from '../../api/kinds/registry';
import { ours, resources } from './resources';
import type { Resource } from './resources';

/** Source of the answers. */
export interface Source {
  find(kind: string, namespace: string | undefined, name: string): Promise<KubeObject | undefined>;
  list(kind: string, namespace: string | undefined, enough?: Enough): Promise<readonly KubeObject[]>;
  /** Whether the requesting user may do that. Without it, every check is denied. */
  may?(access: Access): Promise<boolean>;
}

/** Lookups that a decision may use. */
export interface Answers {
  readonly find: Find;
  readonly list: FindAll;
  may(access: Access): boolean;
}

/** Limit on references through references: far more than any rule follows. */
const MAX_ROUNDS = 8;
/** Limit on lookups, because an object may refer to very many others. */
const MAX_QUESTIONS = 256;

/**
 * Evaluates a pure function that looks up objects: calls it, fetches the requested objects, and calls it again until it
 * requests nothing new. A rule stays a plain function and reads only the objects that it needs.
 *
 * @throws ApiError 400 when the object names too many others
 */
export async function decideWith<T>(source: Source, decide: (answers: Answers) => T): Promise<T> {
  const known = new Map<string, unknown>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const requested = new Map<string, () => Promise<unknown>>();
    const answer = <A>(question: unknown[], ask: () => Promise<A>, unknown: A): A => {
      const key = JSON.stringify(question);
      if (known.has(key)) return known.get(key) as A;
      requested.set(key, ask);
      return unknown;
    };
    const decision = decide({
      find: (...question) =>
        answer<KubeObject | undefined>(['find', ...question], () => source.find(...question), undefined),
      list: (...question) => answer<readonly KubeObject[]>(['list', ...question], () => source.list(...question), []),
      may: (access) => answer(['may', access], async () => (await source.may?.(access)) ?? false, false),
    });
    if (requested.size === 0) return decision;
    if (known.size + requested.size > MAX_QUESTIONS) {
      throw new ApiError(400, 'BadRequest', `the object refers to more than ${MAX_QUESTIONS} other objects; split it`);
    }
    await Promise.all([...requested].map(async ([key, ask]) => known.set(key, await ask())));
  }
  throw new Error(`a rule still requests objects after ${MAX_ROUNDS} rounds`);
}

const collections = new Map<string, Resource>(
  [...allKinds.map(ours), ...Object.values(resources)].map((resource) => [resource.kind, resource]),
);

/** Reads from the cluster with this client. Kinds that are not installed have no objects. */
export function sourceOf(client: KubeClient): Source {
  return {
    async find(kind, namespace, name) {
      const collection = collectionOf(kind);
      // an invalid object name, or a missing namespace
      if (name === '' || (collection.namespaced && !namespace)) return undefined;
      return (await client.find(collection, { namespace, name })) ?? undefined;
    },
    async list(kind, namespace, enough) {
      try {
        return (await client.list(collectionOf(kind), { namespace, ...enough })).items;
      } catch (error) {
        if (isNotFound(error)) return [];
        throw error;
      }
    },
  };
}

function collectionOf(kind: string): Resource {
  const collection = collections.get(kind);
  if (!collection) throw new Error(`nothing is known of kind ${kind}: add it to resources.ts`);
  return collection;
}
