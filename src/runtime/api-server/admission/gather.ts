import type { Access, AdmissionContext, KubeObject } from '../../../api';
import { badRequest, internalError } from '../status';

/** Where answers come from. */
export interface Cluster {
  find(kind: string, namespace: string | undefined, name: string): Promise<KubeObject | undefined>;
  list(kind: string, namespace: string | undefined): Promise<readonly KubeObject[]>;
  /** May the user who asks do that? */
  may(access: Access): Promise<boolean>;
}

/** What a decision may ask. */
export interface Answers extends Pick<AdmissionContext, 'find' | 'list'> {
  may(access: Access): boolean;
}

/** References through references: far more than any rule follows. */
const MAX_ROUNDS = 8;
/** An object that names more others than this would have us ask for a long time. */
const MAX_QUESTIONS = 256;

/**
 * Decides by a pure function that looks things up: runs it, fetches what it asked for, and runs it again until it asks
 * for nothing new. A rule stays a plain function, and reads only what it needs.
 */
export async function gather<T>(decide: (answers: Answers) => T, cluster: Cluster): Promise<T> {
  const known = new Map<string, unknown>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const asked = new Map<string, () => Promise<unknown>>();
    const answer = <A>(question: unknown[], ask: () => Promise<A>, unknown: A): A => {
      const key = JSON.stringify(question);
      if (known.has(key)) return known.get(key) as A;
      asked.set(key, ask);
      return unknown;
    };
    const decision = decide({
      find: (kind, namespace, name) =>
        answer<KubeObject | undefined>(
          ['find', kind, namespace, name],
          () => cluster.find(kind, namespace, name),
          undefined,
        ),
      list: (kind, namespace) =>
        answer<readonly KubeObject[]>(['list', kind, namespace], () => cluster.list(kind, namespace), []),
      may: (access) => answer<boolean>(['may', access], () => cluster.may(access), false),
    });
    if (asked.size === 0) return decision;
    if (known.size + asked.size > MAX_QUESTIONS) {
      throw badRequest(`the object refers to more than ${MAX_QUESTIONS} others: split it`);
    }
    await Promise.all([...asked].map(async ([key, ask]) => known.set(key, await ask())));
  }
  throw internalError(`a rule still asks for objects after ${MAX_ROUNDS} rounds`);
}
