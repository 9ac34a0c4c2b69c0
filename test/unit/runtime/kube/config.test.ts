import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathOf, resources } from '../../../../src/runtime/kube';
import { loadKubeConfig, parseKubeConfig } from '../../../../src/runtime/kube/config';

const directory = mkdtempSync(join(tmpdir(), 'virt8s-kubeconfig-'));
afterAll(() => rmSync(directory, { recursive: true }));
writeFileSync(join(directory, 'ca.crt'), 'CA');

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const yaml = `
apiVersion: v1
kind: Config
current-context: main
contexts:
- {name: main, context: {cluster: c, user: u, namespace: web}}
- {name: other, context: {cluster: c, user: plugin}}
- {name: broken, context: {cluster: none}}
clusters:
- name: c
  cluster: {server: "https://host:6443/", certificate-authority: ca.crt, tls-server-name: api}
users:
- name: u
  user: {client-certificate-data: ${base64('CERT')}, client-key-data: ${base64('KEY')}, tokenFile: token}
- name: plugin
  user: {exec: {command: aws}}
`;

test('reads server, credentials and namespace of the current context, with paths relative to the kubeconfig', () => {
  expect(parseKubeConfig(yaml, directory)).toEqual({
    server: 'https://host:6443',
    ca: 'CA',
    cert: 'CERT',
    key: 'KEY',
    token: undefined,
    tokenFile: join(directory, 'token'),
    serverName: 'api',
    insecureSkipTlsVerify: false,
    namespace: 'web',
  });
});

test.each([
  ['a context that does not exist', 'nope', /context "nope" does not exist \(known: "main", "other", "broken"\)/],
  ['a plugin', 'other', /exec or auth-provider plugin, which is not supported here; use/],
  ['a cluster without a server', 'broken', /cluster "none" has no "server"/],
])('rejects %s with a remedy', (_, context, want) => {
  expect(() => parseKubeConfig(yaml, directory, context)).toThrow(want);
});

test('KUBECONFIG may name several files; the first that exists counts, and JSON is as good as YAML', () => {
  const file = join(directory, 'config');
  const json = {
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'a' } }],
    clusters: [{ name: 'a', cluster: { server: 'http://a' } }],
  };
  writeFileSync(file, JSON.stringify(json));
  const before = process.env.KUBECONFIG;
  process.env.KUBECONFIG = `/does/not/exist:${file}`;
  try {
    expect(loadKubeConfig().server).toBe('http://a');
  } finally {
    if (before === undefined) delete process.env.KUBECONFIG;
    else process.env.KUBECONFIG = before;
  }
});

test('no name can leave its place in a path', () => {
  expect(pathOf(resources.pods, { namespace: 'a/../b', name: 'x?y#z%2e' })).toBe(
    '/api/v1/namespaces/a%2F..%2Fb/pods/x%3Fy%23z%252e',
  );
  expect(pathOf(resources.virtualMachines, { namespace: 'a', name: 'b', subresource: 'status' })).toBe(
    '/apis/kubevirt.io/v1/namespaces/a/virtualmachines/b/status',
  );
  expect(pathOf(resources.nodes, { name: 'n' })).toBe('/api/v1/nodes/n');
  expect(pathOf(resources.pods)).toBe('/api/v1/pods');
});
