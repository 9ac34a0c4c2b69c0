import { rootCertificates } from 'node:tls';
import {
  authoritiesIn,
  trustProxy,
  type ConfigMap,
} from '../../../../../src/runtime/controller/storage/proxy-authorities';
import type { StorageContext } from '../../../../../src/runtime/controller/storage/context';
import { importPod } from '../../../../../src/runtime/controller/storage/population/import-pod';
import { claim, fill, prime } from './fixtures';

const pem = (text: string): string => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`;
const OWN = pem('OWN');
const map = (text?: string): ConfigMap =>
  ({ metadata: { name: 'proxy' }, data: text === undefined ? {} : { 'ca.pem': text } }) as ConfigMap;
const settings = { image: 'importer', overhead: 0 };
const reported = (message: RegExp): object => ({
  problem: { reason: 'ErrProxyAuthorities', message: expect.stringMatching(message) as string, retryMs: 60_000 },
});

describe('authorities of the proxy', () => {
  test.each<[string, ConfigMap | undefined, object]>([
    [
      'are those of the ConfigMap',
      map(`# proxy\n${OWN}\n${pem('OTHER')}\n`),
      { authorities: `${OWN}\n${pem('OTHER')}` },
    ],
    [
      'leave out public ones',
      map(`${rootCertificates.join('\n').replace(/\n/g, '\r\n')}\n${OWN}`),
      { authorities: OWN },
    ],
    ['may all be public', map(rootCertificates.join('\n')), { authorities: '' }],
    ['do not exist', undefined, reported(/n\/proxy of CDIConfig\S+ does not exist/)],
    ['have another key', map(), reported(/no certificate in the key ca.pem/)],
    ['are too long', map(pem('x'.repeat(100_000))), reported(/at most 98304 are allowed/)],
  ])('%s', (_, given, wanted) => expect(authoritiesIn(given, 'n/proxy')).toEqual(wanted));

  const context = (trustedCAProxy: string | undefined, found?: ConfigMap) => {
    const asked: object[] = [];
    const given = {
      installNamespace: 'kubevirt',
      caches: { configs: { get: () => ({ spec: { importProxy: { trustedCAProxy } } }) } },
      client: {
        find: async (_: object, ref: object) => {
          asked.push(ref);
          return found;
        },
      },
    } as unknown as StorageContext;
    return { given, asked };
  };

  test('are read from the namespace of the installation', async () => {
    const { given, asked } = context('proxy', map(OWN));
    expect(await trustProxy(given, settings)).toEqual({ settings: { ...settings, authorities: OWN } });
    expect(asked).toEqual([{ namespace: 'kubevirt', name: 'proxy' }]);
  });

  test('are not needed without the field', async () => {
    const { given, asked } = context('');
    expect(await trustProxy(given, settings)).toEqual({ settings });
    expect(asked).toEqual([]);
  });

  test('that are missing prevent the import', async () => {
    expect(await trustProxy(context('proxy').given, settings)).toMatchObject({
      settings,
      ...reported(/does not exist/),
    });
  });

  test('are a part of the request to the importer', () => {
    const pod = importPod({ claim: claim(), work: prime(), fill, settings: { ...settings, authorities: OWN } });
    const request = pod.spec.containers[0]!.env!.find(({ name }) => name === 'VIRT8S_IMPORT')!.value!;
    expect(JSON.parse(request)).toMatchObject({ authorities: OWN });
  });
});
