import type { KubeVirt } from '../../../../src/api';
import { customizationRules } from '../../../../src/api/lint/platform-customization';

const reported = (customizeComponents: object | undefined): string[] =>
  customizationRules({
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt' },
    spec: { customizeComponents },
  } as KubeVirt).map(({ rule, path, value, remedy }) => `${rule} ${path} ${JSON.stringify(value)}: ${String(remedy)}`);

const patchOf = (resourceType: string): object => ({ resourceType, resourceName: '*', type: 'merge', patch: '{}' });
const at = 'spec.customizeComponents';

test.each<[string, object | undefined, string[]]>([
  ['accepts an object without changes', undefined, []],
  ['accepts kinds that are installed, in any case', { patches: [patchOf('Deployment'), patchOf('daemonset')] }, []],
  [
    'rejects a misspelt kind',
    { patches: [patchOf('Deployment'), patchOf('Deploymant')] },
    [`component-target ${at}.patches[1].resourceType "Deploymant": did you mean "Deployment"?`],
  ],
  [
    'rejects Secrets, which virt-operator makes from the certificates',
    { patches: [patchOf('Secret')] },
    [`component-target ${at}.patches[0].resourceType "Secret": use one of the allowed values`],
  ],
  ['accepts flags by their names', { flags: { api: { port: '8443' }, handler: { 'metrics-port': '1' } } }, []],
  [
    'rejects flags with dashes or values',
    { flags: { api: { '--port': '1' }, controller: { 'port=1': '' } } },
    [
      `component-flag ${at}.flags.api "--port": write the name without dashes and without a value`,
      `component-flag ${at}.flags.controller "port=1": write the name without dashes and without a value`,
    ],
  ],
])('%s', (_, given, want) => expect(reported(given)).toEqual(want));
