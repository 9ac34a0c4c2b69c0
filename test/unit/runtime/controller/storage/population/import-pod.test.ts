import { IMPORT_VARIABLE, type ImportRequest } from '../../../../../../src/api/cdi/import-request';
import { keys } from '../../../../../../src/api/keys';
import { importPod, pullProblem } from '../../../../../../src/runtime/controller/storage/population/import-pod';
import { claim, fill, prime } from '../fixtures';

const settings = { image: 'importer', overhead: 0.06 };

/** The request in the Pod of an import from a registry. */
function requestFor(url: string, insecureRegistries?: string[]): ImportRequest {
  const from = { ...fill, source: { registry: { url } } };
  const made = importPod({ claim: claim(), work: prime(), fill: from, settings: { ...settings, insecureRegistries } });
  const variable = made.spec.containers[0]?.env?.find(({ name }) => name === IMPORT_VARIABLE);
  return JSON.parse(variable?.value ?? '') as ImportRequest;
}

test.each([
  ['docker://registry.example:5000/disk:1', ['registry.example:5000'], true],
  ['docker://registry.example:5000/disk:1', ['registry.example'], undefined],
  ['docker://registry.example/registry.example:5000', ['registry.example:5000'], undefined],
  ['docker://registry.example:5000/disk:1', undefined, undefined],
])('%s with the insecure registries %j', (url, insecure, wanted) => {
  expect(requestFor(url, insecure).source).toEqual({ kind: 'registry', url, ...(wanted && { isInsecure: wanted }) });
});

test.each([
  [`sha1:${'ab'.repeat(20)}`, `sha1:${'ab'.repeat(20)}`],
  [` SHA1 : ${'AB'.repeat(20)} `, `sha1:${'ab'.repeat(20)}`],
  ['crc32:ab', 'crc32:ab'],
])('the checksum %j reaches the importer as %j', (checksum, wanted) => {
  const from = { ...fill, source: { http: { url: 'http://images.example/a.img', checksum } } };
  const made = importPod({ claim: claim(), work: prime(), fill: from, settings });
  expect(JSON.parse(made.spec.containers[0]!.env![0]!.value!)).toMatchObject({ source: { checksum: wanted } });
});

test('the priority class of a DataVolume reaches its importer by the annotation of the claim', () => {
  const own = claim({ [keys.priorityClass]: 'high' });
  expect(importPod({ claim: own, work: prime(), fill, settings }).spec.priorityClassName).toBe('high');
  expect(importPod({ claim: claim(), work: prime(), fill, settings }).spec).not.toHaveProperty('priorityClassName');
});

test('the Pod of an upload makes its key itself, and is ready when it listens', () => {
  const uploadFill = { kind: 'upload', contentType: 'archive', isPreallocated: true } as const;
  const withAuthority = { ...settings, uploadAuthority: 'pem' };
  const { spec } = importPod({ claim: claim(), work: prime(), fill: uploadFill, settings: withAuthority });
  const [identity] = spec.initContainers!;
  const [server] = spec.containers;
  expect(JSON.parse(server!.env![0]!.value!)).toMatchObject({
    source: { kind: 'upload', authority: 'pem' },
    contentType: 'archive',
    isPreallocated: true,
  });
  expect(server!.readinessProbe).toMatchObject({ tcpSocket: { port: 8444 } });
  expect(JSON.parse(identity!.env![0]!.value!)).toMatchObject({ source: { kind: 'identity' } });
  // the key is in memory, and only the two containers have it
  expect(spec.volumes!.find(({ name }) => name === 'identity')).toMatchObject({ emptyDir: { medium: 'Memory' } });
  expect(identity).toMatchObject({
    volumeMounts: [{ name: 'identity' }],
    securityContext: { capabilities: { drop: ['ALL'] }, runAsUser: 107 },
  });
  expect(spec.automountServiceAccountToken).toBe(false);
});

describe('with pullMethod node', () => {
  const pulled = (registry: object) => ({
    ...fill,
    source: { registry: { pullMethod: 'node' as const, ...registry } },
  });
  const url = 'docker://registry.example/disk:1';

  test('the node pulls the image for its platform and mounts it, and ignores the credentials of the source', () => {
    const from = pulled({ url, secretRef: 'login', certConfigMap: 'ca', platform: { architecture: 'arm64' } });
    const { spec } = importPod({ claim: claim(), work: prime(), fill: from, settings });
    expect(JSON.parse(spec.containers[0]!.env![0]!.value!)).toMatchObject({ source: { kind: 'pulled' } });
    expect(spec.volumes).toContainEqual({ name: 'image', image: { reference: 'registry.example/disk:1' } });
    expect(spec.volumes!.filter(({ secret, configMap }) => secret ?? configMap)).toEqual([]);
    expect(spec.containers[0]!.volumeMounts).toContainEqual({
      name: 'image',
      mountPath: '/run/virt8s/image',
      readOnly: true,
    });
    expect(spec.nodeSelector).toEqual({ 'kubernetes.io/arch': 'arm64' });
  });

  test.each<[string, object, boolean, string | undefined]>([
    ['an image where nodes mount images', { url }, true, undefined],
    ['an image where they do not', { url }, false, 'ImageVolumesNotSupported'],
    ['an archive', { url: 'oci-archive://disk.tar' }, true, 'ImageNotInRegistry'],
    ['an image stream', { imageStream: 'fedora' }, true, 'ImageStreamNotSupported'],
    ['an image that a Pod pulls', { url, pullMethod: 'pod' }, false, undefined],
  ])('reports the problem of %s', (_, registry, mountsImages, reason) => {
    expect(pullProblem(pulled(registry), { ...settings, mountsImages })?.reason).toBe(reason);
  });
});
