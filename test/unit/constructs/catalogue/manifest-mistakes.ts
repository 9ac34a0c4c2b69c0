import type { Mistake } from './mistakes';

const vm = `new VirtualMachine(chart, 'vm', { metadata: { name: 'web', labels: { app: 'web' } }, memory: Size.gibibytes(2) });`;

/** Mistakes in objects that are written as manifests, and applied together with VMs. */
export const manifestMistakes: readonly Mistake[] = [
  {
    group: 'network',
    title: "a Service that selects a VM's own labels",
    tier: 'synth',
    kubevirt: 'never',
    there: 'the Service has no endpoints',
    code: `${vm} new ApiObject(chart, 's', { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { selector: { app: 'web' }, ports: [{ port: 22 }] } });`,
    says: `spec.selector: no Pod has these labels: VirtualMachine "web" has them itself, and its Pods have those of its template
  add them to the labels of its template (instanceMetadata of a construct) [selects-template]`,
  },
  {
    group: 'storage',
    title: 'a claim with an access mode that is not in a list',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'the API server rejects the claim',
    code: `${vm} new ApiObject(chart, 'c', { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'c' }, spec: { accessModes: 'ReadWriteOnce', resources: { requests: { storage: '5Gi' } } } });`,
    says: `spec.accessModes: must be of type array, not string (value: "ReadWriteOnce")
  write a list here, also for one item [schema-type]`,
  },
  {
    group: 'storage',
    title: 'a claim that a populator without its group fills',
    tier: 'synth',
    kubevirt: 'apply',
    there: 'the API server rejects the claim',
    code: `${vm} new ApiObject(chart, 'c', { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'c' }, spec: { accessModes: ['ReadWriteOnce'], dataSourceRef: { kind: 'VolumeImportSource', name: 'os' }, resources: { requests: { storage: '5Gi' } } } });`,
    says: `spec.dataSourceRef.apiGroup: VolumeImportSource is not a kind of the core group
  add apiGroup: cdi.kubevirt.io [claim-source-group]`,
  },
  {
    group: 'guest',
    title: 'an autoscaler of one VM',
    tier: 'synth',
    kubevirt: 'run',
    there: 'the autoscaler reports that it cannot scale',
    code: `${vm} new ApiObject(chart, 'h', { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'h' }, spec: { scaleTargetRef: { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'web' }, maxReplicas: 3, metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '700m' } } }] } });`,
    says: `spec.scaleTargetRef.kind: a VirtualMachine has no replicas, so it cannot be scaled (allowed: "VirtualMachinePool", "VirtualMachineInstanceReplicaSet")
  scale a VirtualMachinePool or a VirtualMachineInstanceReplicaSet [autoscaler-target]`,
  },
  {
    group: 'windows',
    title: 'an answer file that is not XML',
    tier: 'synth',
    kubevirt: 'never',
    there: 'Windows Setup ignores the file and asks',
    code: `${vm} new ApiObject(chart, 'a', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { 'autounattend.xml': '<unattend>\\n<settings>\\n</unattend>' } });`,
    says: `data.autounattend.xml: line 3: </unattend> is where </settings> is expected
  write </settings> [sysprep-xml]`,
  },
];
