import { IMPORT_VARIABLE, type ImportRequest } from '../../../../../../src/api/cdi/import-request';
import { keys } from '../../../../../../src/api/keys';
import { importPod } from '../../../../../../src/runtime/controller/storage/population/import-pod';
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
