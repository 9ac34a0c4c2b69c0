/** Single passes of the storage controllers, without an API server. */
import type { KubeObject } from '../../../../../src/api';
import { CONTENT_KINDS } from '../../../../../src/runtime/controller/storage/content';
import {
  clusterOf,
  type StorageCaches,
  type StorageContext,
} from '../../../../../src/runtime/controller/storage/context';
import { Expectations } from '../../../../../src/runtime/kube';

interface Write {
  readonly kind: string;
  readonly body: KubeObject & { readonly status?: object };
}

type Objects = Readonly<Record<string, readonly object[]>>;

/** Context whose caches have these objects. `found`: object that a request for one finds. */
export function passes(objects: Objects, sources: Objects = {}, found?: object) {
  const writes: Write[] = [];
  const warnings: string[] = [];
  const cachesOf = (names: readonly string[], given: Objects): object =>
    Object.fromEntries(names.map((name) => [name, cacheOf((given[name] ?? []) as readonly KubeObject[])]));
  const caches = {
    ...cachesOf(NAMES, objects),
    sources: cachesOf(CONTENT_KINDS, sources),
  } as unknown as StorageCaches;
  const write =
    (index: number) =>
    async ({ plural }: { plural: string }, ...given: unknown[]): Promise<object> => {
      writes.push({ kind: plural, body: given[index] as KubeObject });
      return { metadata: {} };
    };
  const context = {
    caches,
    cluster: clusterOf(caches),
    importerImage: 'importer',
    installNamespace: 'kubevirt',
    mountsImages: () => true,
    trust: { authority: () => undefined, host: '' },
    progress: new Map(),
    expectations: new Expectations(),
    recorder: {
      record: () => undefined,
      warning: (_: object, reason: string, message: string) => warnings.push(`${reason}: ${message}`),
    },
    client: { find: async () => found, create: write(0), patch: write(1) },
    now: Date.now,
  } as unknown as StorageContext;
  return { context, writes, warnings };
}

const NAMES = [
  ...['claims', 'pods', 'volumes', 'profiles', 'classes', 'configs'],
  ...['dataVolumes', 'dataSources', 'importCrons', 'transfers', 'cdis'],
];

const cacheOf = (objects: readonly KubeObject[]) => ({
  get: (key: string) =>
    objects.find(({ metadata: { namespace, name } }) => key === (namespace ? `${namespace}/${name}` : name)),
  list: () => objects,
  byIndex: () => [],
});
