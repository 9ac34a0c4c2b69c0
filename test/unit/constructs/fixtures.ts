import { App, Chart, Size } from 'cdk8s';
import { Disk, VirtualMachine, VirtualMachineProps } from '../../../src';
import { testApp } from '../../support/app';

/** A chart whose objects are named by their path alone. */
export function testChart(): Chart {
  return new Chart(testApp(), 'web', { disableResourceNameHashes: true });
}

/** The least VM, with these properties. */
export function testVm(props: VirtualMachineProps = {}, chart = testChart()): VirtualMachine {
  return new VirtualMachine(chart, 'vm', {
    memory: Size.gibibytes(1),
    disks: [Disk.containerDisk('registry.example/os:1')],
    ...props,
  });
}

/** Spec of the instance in the manifest. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
export function instanceSpec(vm: VirtualMachine): any {
  return vm.apiObject.toJson().spec.template.spec;
}

/** What is thrown, as people read it. */
export function mistakeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was thrown';
}

/** What synth says. */
export function synthMistake(chart: Chart): string {
  return mistakeOf(() => (chart.node.root as App).synth());
}
