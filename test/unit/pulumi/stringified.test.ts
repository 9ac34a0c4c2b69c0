import * as pulumi from '@pulumi/pulumi';
import { CloudInit, Disk, fromChart, Size, VirtualMachine } from 'virt8s/pulumi';
import { ApiObject } from 'cdk8s';
import { run } from './engine';

const output = pulumi.output('prod');
const MEMORY = { memory: Size.gibibytes(1) };
const mistake = async (program: () => unknown): Promise<string> => {
  try {
    await run(program);
    return 'nothing was thrown';
  } catch (error) {
    return (error as Error).message;
  }
};

test.each<[string, () => unknown, string]>([
  ['a property', () => new VirtualMachine('web', { ...MEMORY, hostname: `web-${output}` }), 'web: hostname: '],
  [
    'a property at any depth',
    () => new VirtualMachine('web', { ...MEMORY, metadata: { labels: { env: `${output}` } } }),
    'web: metadata.labels.env: ',
  ],
  [
    'a key',
    () => new VirtualMachine('web', { ...MEMORY, metadata: { annotations: { [`${output}`]: 'x' } } }),
    'web: metadata.annotations: ',
  ],
  ['a factory', () => Disk.containerDisk(`registry.example/${output}:1`), 'Disk.containerDisk: '],
  ['a list', () => CloudInit.noCloud({ runcmd: ['true', `echo ${output}`] }), 'CloudInit.noCloud: runcmd[1]: '],
  ['JSON', () => CloudInit.noCloud({ runcmd: [JSON.stringify({ output })] }), 'CloudInit.noCloud: runcmd[0]: '],
  ['a method', () => new VirtualMachine('web', MEMORY).scheduling.selectNode('zone', `${output}`), 'web: selectNode: '],
  ['the namespace', () => new VirtualMachine('web', MEMORY, { namespace: `${output}` }), 'web: namespace: '],
  [
    'what another Output makes',
    () => new VirtualMachine('web', { ...MEMORY, hostname: pulumi.output(1).apply(() => `web-${output}`) }),
    'web: ',
  ],
  [
    'construct code',
    () =>
      fromChart('web', (chart) => {
        new ApiObject(chart, 'map', { apiVersion: 'v1', kind: 'ConfigMap', data: { a: `${output}` } });
      }),
    'web/map: data.a: ',
  ],
])('rejects an Output that was converted to a string in %s', async (_, program, where) => {
  const message = await mistake(program);
  expect(message).toContain(`${where}the text contains an Output`);
  expect(message).toContain('write pulumi.interpolate`');
  expect(message).toContain('[pulumi-interpolate]');
});

test('takes text that pulumi.interpolate makes', async () => {
  const program = () => new VirtualMachine('web', { ...MEMORY, hostname: pulumi.interpolate`web-${output}` });
  expect(await mistake(program)).toBe('nothing was thrown');
});
