import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strategyHash } from '../../../../src/api/install/strategy';
import { parseObjects, readStrategy } from '../../../../src/runtime/operator/strategy';

const service = 'apiVersion: v1\nkind: Service\nmetadata: { name: a }\n';
const role = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: b }\n';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'virt8s-strategy-'))));
afterEach(() => rmSync(folder, { recursive: true }));
const write = (version: string, objects: string): void => {
  writeFileSync(join(folder, 'version'), version);
  writeFileSync(join(folder, 'objects.yaml'), objects);
};

test('is read with its version and objects', () => {
  const objects = `${service}---\n${role}`;
  write('v1', objects);
  const strategy = readStrategy(folder, strategyHash('v1', objects));
  expect(strategy.version).toBe('v1');
  expect(strategy.objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(['Service a', 'Role b']);
});

test.each([
  ['objects', 'v1', role],
  ['version', 'v2', service],
])('with other %s than those of the operator is rejected', (_, version, objects) => {
  write(version, objects);
  expect(() => readStrategy(folder, strategyHash('v1', service))).toThrow(
    `ConfigMap kubevirt-install-strategy (version ${version}) is not the one that this operator was deployed with; apply ` +
      'all manifests of one version of the platform',
  );
});

test('that is not mounted is rejected', () => expect(() => readStrategy(folder, 'abc')).toThrow(/ENOENT.*version/));

describe('its objects', () => {
  test.each<[string, string, string | RegExp]>([
    [
      'have a kind that the operator installs',
      'kind: Pod\nmetadata: { name: a }',
      'document 1: virt-operator installs no Pod "a"',
    ],
    ['have a kind', 'metadata: { name: a }', 'document 1: virt-operator installs no object without a kind'],
    ['have a name', `${service}---\nkind: Role`, 'document 2: virt-operator installs no Role ""'],
    ['are not empty', `${service}---\n---\n${role}`, 'document 2: virt-operator installs no object without a kind'],
    ['are YAML', `${service}---\nkind: [`, /^objects\.yaml, document 2: .*/],
    ['are maps', '- a', 'document 1: virt-operator installs no object without a kind'],
    [
      'have no kind of JavaScript',
      'kind: constructor\nmetadata: { name: a }',
      'virt-operator installs no constructor "a"',
    ],
  ])('%s', (_, text, want) => expect(() => parseObjects(text)).toThrow(want));

  test('may be none', () => expect(parseObjects('')).toEqual([]));
});
