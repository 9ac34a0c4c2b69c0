import { ApiObject, App, Chart, Size } from 'cdk8s';
import { Cpu, Disk, VirtualMachine } from '../src';
import { type Figure, figure, median } from './figure';

/** Synth of many VMs by the construct, against the same objects as raw cdk8s ApiObjects, in turn. */
export function benchSynth(vms: number, rounds: number): Figure[] {
  const construct = (): unknown[] => {
    const chart = new Chart(new App(), 'bench', { disableResourceNameHashes: true });
    for (let i = 0; i < vms; i++) {
      new VirtualMachine(chart, `vm-${i}`, {
        cpu: Cpu.cores(1),
        memory: Size.mebibytes(256),
        disks: [Disk.containerDisk('localhost/virt8s/tiny:latest')],
      });
    }
    return chart.toJson();
  };
  const objects = construct() as { apiVersion: string; kind: string; metadata: { name: string } }[];
  const raw = (): unknown[] => {
    const chart = new Chart(new App(), 'bench', { disableResourceNameHashes: true });
    for (const { metadata, ...rest } of objects)
      new ApiObject(chart, metadata.name, { ...rest, metadata: { ...metadata } });
    return chart.toJson();
  };
  const time = (work: () => unknown): number => {
    const start = process.hrtime.bigint();
    work();
    return Number(process.hrtime.bigint() - start) / 1e6;
  };
  raw(); // both are warm: construct() ran above
  const ratios: number[] = [];
  const ours: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const mine = time(construct);
    ours.push(mine);
    ratios.push(mine / time(raw));
  }
  return [
    figure(
      'synth',
      median(ratios),
      'x raw cdk8s ApiObjects',
      3,
      `median of ${rounds} rounds of ${vms} VMs, construct and raw in turn; construct ${median(ours).toFixed(0)} ms`,
    ),
  ];
}
