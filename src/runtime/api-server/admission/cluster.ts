import type { KubeObject } from '../../../api';
import { permissionsOf, sourceOf } from '../../kube';
import type { KubeClient, Source } from '../../kube';
import type { AdmissionRequest } from './review';

/** Objects that virt-api watches anyway; undefined until they are listed. */
export type Watched = (kind: string) => readonly KubeObject[] | undefined;

/** The cluster as virt-api reads it, and the permissions of the requesting user. */
export function clusterOf(
  client: KubeClient,
  watched: Watched,
  { userInfo }: Pick<AdmissionRequest, 'userInfo'>,
): Source {
  const source = sourceOf(client);
  return inTurns({
    find: source.find,
    list: async (kind, namespace, enough) =>
      watched(kind)?.filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace) ??
      source.list(kind, namespace, enough),
    may: permissionsOf(client, userInfo),
  });
}

/** An object may refer to hundreds of others: at most this many are read from the API server at a time. */
const MAX_AT_ONCE = 8;

/** The same source with a limit on concurrent reads. */
export function inTurns(source: Source, most = MAX_AT_ONCE): Source {
  const { find: lookUp, list: lookUpAll, may } = source;
  let running = 0;
  const waiting: (() => void)[] = [];
  const inTurn = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((start) => waiting.push(start));
    else running += 1;
    try {
      return await ask();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
  return {
    find: (...question) => inTurn(() => lookUp(...question)),
    list: (...question) => inTurn(() => lookUpAll(...question)),
    ...(may && { may: (access) => inTurn(() => may(access)) }),
  };
}
