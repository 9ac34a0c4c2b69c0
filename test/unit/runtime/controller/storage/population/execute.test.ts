import {
  clusterOf,
  type StorageCaches,
  type StorageContext,
} from '../../../../../../src/runtime/controller/storage/context';
import { syncPopulation } from '../../../../../../src/runtime/controller/storage/population/execute';
import type { ConfigMap } from '../../../../../../src/runtime/controller/storage/proxy-authorities';
import { Expectations } from '../../../../../../src/runtime/kube';
import { claim, prime, storageClass } from '../fixtures';

const AUTHORITY = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';

/** Caches with these objects, and the writes of a pass. */
function world(source: object, map: ConfigMap | undefined, hasPrime = true) {
  const writes: { kind: string; object: object }[] = [];
  const warnings: string[] = [];
  const cache = (objects: object[] = []) => ({
    get: (key: string) =>
      objects.find((each) => {
        const { namespace, name } = (each as { metadata: { namespace?: string; name: string } }).metadata;
        return key === (namespace === undefined ? name : `${namespace}/${name}`);
      }),
    list: () => objects,
    byIndex: () => [],
  });
  const caches = {
    claims: cache(hasPrime ? [claim(), prime()] : [claim()]),
    pods: cache(),
    volumes: cache(),
    profiles: cache(),
    classes: cache([storageClass('Immediate')]),
    configs: cache([{ metadata: { name: 'config' }, spec: { importProxy: { trustedCAProxy: 'proxy' } } }]),
    sources: { VolumeImportSource: cache([{ metadata: { namespace: 'n', name: 'source' }, spec: { source } }]) },
  } as unknown as StorageCaches;
  const written = async ({ plural }: { plural: string }, ...rest: object[]): Promise<object> => {
    writes.push({ kind: plural, object: rest.at(rest.length > 2 ? 1 : 0)! });
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
    recorder: { warning: (_: object, reason: string, message: string) => warnings.push(`${reason}: ${message}`) },
    client: { find: async () => map, create: written, patch: written },
  } as unknown as StorageContext;
  return { context, writes, warnings };
}

const http = { http: { url: 'https://images.example/a.qcow2' } };
const map: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'proxy' },
  data: { 'ca.pem': AUTHORITY },
};

describe('an importer behind a proxy whose authorities CDIConfig names', () => {
  test('gets them', async () => {
    const { context, writes } = world(http, map);
    await syncPopulation(context, 'n/root');
    expect(writes).toMatchObject([{ kind: 'pods' }]);
    expect(JSON.stringify(writes)).toContain('BEGIN CERTIFICATE');
  });

  test.each([true, false])('is not created while they do not exist (with a prime: %s)', async (hasPrime) => {
    const { context, writes, warnings } = world(http, undefined, hasPrime);
    expect(await syncPopulation(context, 'n/root')).toEqual({ requeueAfterMs: 60_000 });
    expect(writes.map(({ kind }) => kind)).toEqual(['persistentvolumeclaims']);
    expect(JSON.stringify(writes)).toContain('ErrProxyAuthorities');
    expect(warnings).toEqual([expect.stringMatching(/kubevirt\/proxy .* does not exist/)]);
  });

  test.each<[string, object]>([
    ['a blank disk', { blank: {} }],
    ['an image that the node pulls', { registry: { url: 'docker://registry.example/a:1', pullMethod: 'node' } }],
  ])('does not need them for %s', async (_, source) => {
    const { context, writes } = world(source, undefined);
    await syncPopulation(context, 'n/root');
    expect(writes).toMatchObject([{ kind: 'pods' }]);
  });
});
