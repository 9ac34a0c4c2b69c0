import { addressOf, type Ingress } from '../../../../../src/runtime/controller/export/external';

const backend = (name: string) => ({ service: { name } });
const rule = (name: string, host?: string) => ({
  ...(host && { host }),
  http: { paths: [{ backend: backend(name) }] },
});
const ingress = (name: string, spec: Ingress['spec']): Ingress => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name },
  spec,
});
const PROXY = 'virt-exportproxy';

test.each<[string, Ingress[], string | undefined]>([
  ['there is none', [], undefined],
  ['it leads elsewhere', [ingress('a', { rules: [rule('other', 'a.example')] })], undefined],
  ['it has no host', [ingress('a', { rules: [rule(PROXY)] })], undefined],
  [
    'a rule leads to the proxy',
    [ingress('a', { rules: [rule('other', 'a.example'), rule(PROXY, 'b.example')] })],
    'b.example',
  ],
  [
    'its default backend is the proxy',
    [ingress('a', { defaultBackend: backend(PROXY), rules: [{ host: 'c.example' }] })],
    'c.example',
  ],
  [
    'there are several',
    [ingress('b', { rules: [rule(PROXY, 'b.example')] }), ingress('a', { rules: [rule(PROXY, 'a.example')] })],
    'a.example',
  ],
])('the address of an Ingress, if %s', (_, ingresses, host) => {
  expect(addressOf(ingresses)).toEqual(host && { url: `https://${host}`, certificate: '' });
});
