import { newConfig, statusChanges, type Config } from '../../../../../../src/runtime/controller/storage/config/decide';

const own = { url: 'https://10.0.0.1:8445', authority: 'pem' };
const override = { uploadProxyURLOverride: 'https://uploads.example' };
const config = (more: Partial<Config>): Config => ({ ...newConfig(), ...more });

test.each<[string, Partial<Config>, Parameters<typeof statusChanges>[1], object | undefined]>([
  ['tells the address of the proxy', {}, own, { uploadProxyURL: own.url, uploadProxyCA: 'pem' }],
  ['changes nothing', { status: { uploadProxyURL: own.url, uploadProxyCA: 'pem' } }, own, undefined],
  ['prefers the address of the administrator', { spec: override }, own, { uploadProxyURL: 'https://uploads.example' }],
  [
    'forgets the authority for that',
    { spec: override, status: { uploadProxyURL: 'https://uploads.example', uploadProxyCA: 'pem' } },
    own,
    { uploadProxyCA: null },
  ],
  ['knows no address', {}, { authority: 'pem' }, undefined],
  ['forgets an address', { status: { uploadProxyURL: 'https://a' } }, {}, { uploadProxyURL: null }],
])('the CDIConfig %s', (_, given, proxy, changes) => expect(statusChanges(config(given), proxy)).toEqual(changes));
