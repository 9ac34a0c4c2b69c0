import { templateMetadata } from '../../../../src/api/lint/template-metadata';
import type { Loose } from '../fixtures';
import { object, pool } from './worlds';

const vm = (metadata: Loose, own: Loose = {}): Loose =>
  object('kubevirt.io/v1', 'VirtualMachine', 'web', { template: { metadata, spec: { domain: {} } } }, own);
const at = 'template-metadata spec.template.metadata';

test.each<[string, Loose, string[]]>([
  ['accepts labels and the name of the VM', vm({ name: 'web', labels: { 'kubevirt.io/domain': 'web' } }), []],
  ['reports another name', vm({ name: 'other' }), [`${at}.name`]],
  ['reports a generated name', vm({ generateName: 'web-' }), [`${at}.generateName`]],
  ['accepts the namespace of the VM', vm({ namespace: 'a' }, { namespace: 'a' }), []],
  ['reports another namespace', vm({ namespace: 'b' }, { namespace: 'a' }), [`${at}.namespace`]],
  ['accepts the own value of a label', vm({ labels: { 'vm.kubevirt.io/name': 'web' } }), []],
  ['reports another value', vm({ labels: { 'vm.kubevirt.io/name': 'db' } }), [`${at}.labels.vm.kubevirt.io/name`]],
  [
    'reports the label in a pool',
    pool('web', { labels: { 'vm.kubevirt.io/name': 'web' } }),
    ['template-metadata spec.virtualMachineTemplate.spec.template.metadata.labels.vm.kubevirt.io/name'],
  ],
])('%s', (_, made, want) => expect(templateMetadata(made).map(({ rule, path }) => `${rule} ${path}`)).toEqual(want));
