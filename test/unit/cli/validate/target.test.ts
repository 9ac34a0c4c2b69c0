import { clusterConfig, contextOf } from '../../../../src/api';
import { documentsOf } from '../../../../src/cli/manifests/documents';
import { check } from '../../../../src/cli/validate/check';
import { runValidate } from '../../../../src/cli/validate/run';

const [vm] = documentsOf(`apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: { name: web }
spec:
  runStrategy: Always
  template:
    spec:
      domain:
        rebootPolicy: Terminate
        memory: { guest: 1Gi }
        devices: {}
`);
const checked = (minor?: number) =>
  check(vm!, contextOf(clusterConfig()), undefined, minor === undefined ? undefined : { minor });

test('reports the line of a field that the target version lacks', () => {
  expect(checked(7)).toMatchObject({
    state: 'refused',
    findings: [{ rule: 'kubevirt-version', severity: 'error', at: { line: 9 } }],
  });
  expect(checked(8).state).toBe('valid');
  expect(checked().state).toBe('valid');
});

test('rejects a target version that is not known', async () => {
  await expect(runValidate([], { kubevirtVersion: '1.99' })).rejects.toThrow(
    '--kubevirt-version: "1.99" is not a known version (allowed: 1.0, 1.1,',
  );
});
