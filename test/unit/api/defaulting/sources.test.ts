import { architectureOfSources } from '../../../../src/api/defaulting/sources';
import type { Loose } from '../fixtures';

const source = (name: string, architecture?: string, next?: Loose, namespace = 'shop') => ({
  kind: 'DataSource',
  metadata: {
    name,
    namespace,
    labels: architecture ? { 'template.kubevirt.io/architecture': architecture } : undefined,
  },
  spec: { source: next ? { dataSource: next } : {} },
});
const sources = [
  source('intel', 'amd64'),
  source('arm', 'arm64'),
  source('mainframe', 's390x'),
  source('other', 'riscv64'),
  source('unknown'),
  source('alias', 'amd64', { name: 'arm', namespace: 'shop' }),
  source('dangling', 'amd64', { name: 'gone', namespace: 'shop' }),
  source('arm', 's390x', undefined, 'golden'),
];
const find = (kind: string, namespace: string | undefined, name: string): Loose =>
  sources.find((each) => each.kind === kind && each.metadata.namespace === namespace && each.metadata.name === name);

const ref = (name: string, more: object = {}) => ({ kind: 'DataSource', name, ...more });

test.each<[string, (object | undefined)[], string | undefined]>([
  ['no disk', [], undefined],
  ['a disk without a source', [undefined], undefined],
  ['a disk of an amd64 source', [ref('intel')], 'amd64'],
  ['a disk of an arm64 source', [ref('arm')], 'arm64'],
  ['a disk of an s390x source', [ref('mainframe')], 's390x'],
  ['a disk of a source in its own namespace', [ref('arm', { namespace: 'golden' })], 's390x'],
  ['a kind written in lower case', [ref('arm', { kind: 'datasource' })], 'arm64'],
  ['a source of another kind', [ref('arm', { kind: 'Image' })], undefined],
  ['a source without a kind', [{ name: 'arm' }], undefined],
  ['a source of no architecture that a guest can have', [ref('other')], undefined],
  ['a source that does not say', [ref('unknown')], undefined],
  ['a source that is not there', [ref('gone')], undefined],
  ['a source that refers to another: that one’s', [ref('alias')], 'arm64'],
  ['a source that refers to one that is not there', [ref('dangling')], undefined],
  ['the first disk whose source says', [ref('unknown'), undefined, ref('arm'), ref('intel')], 'arm64'],
])('%s', (_, refs, want) => {
  const dataVolumeTemplates = refs.map((sourceRef) => ({ spec: { sourceRef } }));
  const vm = { metadata: { name: 'web', namespace: 'shop' }, spec: { dataVolumeTemplates } };
  expect(architectureOfSources(vm as Loose, find)).toBe(want);
});
