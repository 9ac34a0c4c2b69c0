import { App, Chart } from 'cdk8s';
import { isClusterScoped } from '../../../src/api/kinds/registry';
import { StorageProfileObject } from '../../../src/constructs/generated/cdi-v1beta1';
import { VirtualMachineClusterPreferenceObject } from '../../../src/constructs/generated/instancetype-v1beta1';
import { MigrationPolicyObject } from '../../../src/constructs/generated/migrations-v1alpha1';
import { VirtualMachineSnapshotObject } from '../../../src/constructs/generated/snapshot-v1beta1';

test('only objects of namespaced kinds get the namespace of their chart', () => {
  const chart = new Chart(new App(), 'web', { namespace: 'guests' });
  const cluster = [StorageProfileObject, MigrationPolicyObject, VirtualMachineClusterPreferenceObject];
  const objects = [...cluster, VirtualMachineSnapshotObject];
  objects.forEach((Kind, i) => new Kind(chart, `object-${i}`, { spec: {} } as never));
  const rendered = chart.toJson() as { kind: string; metadata: { namespace?: string } }[];
  for (const { kind, metadata } of rendered) {
    expect([kind, metadata.namespace]).toEqual([kind, isClusterScoped(kind) ? undefined : 'guests']);
  }
  expect(rendered.filter(({ metadata }) => metadata.namespace)).toHaveLength(1);
});
