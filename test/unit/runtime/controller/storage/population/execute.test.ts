import { syncPopulation } from '../../../../../../src/runtime/controller/storage/population/execute';
import type { ConfigMap } from '../../../../../../src/runtime/controller/storage/proxy-authorities';
import { claim, prime, storageClass } from '../fixtures';
import { passes } from '../passes';

const http = { http: { url: 'https://images.example/a.qcow2' } };
const data = { 'ca.pem': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' };
const map: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'proxy' }, data };

describe('an importer behind a proxy whose authorities CDIConfig names', () => {
  const world = (source: object, found?: ConfigMap, hasPrime = true) =>
    passes(
      {
        claims: hasPrime ? [claim(), prime()] : [claim()],
        classes: [storageClass('Immediate')],
        configs: [{ metadata: { name: 'config' }, spec: { importProxy: { trustedCAProxy: 'proxy' } } }],
      },
      { VolumeImportSource: [{ metadata: { namespace: 'n', name: 'source' }, spec: { source } }] },
      found,
    );

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
    const { context, writes } = world(source);
    await syncPopulation(context, 'n/root');
    expect(writes).toMatchObject([{ kind: 'pods' }]);
  });
});
