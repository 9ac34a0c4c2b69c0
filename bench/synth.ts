import { ApiObject, App, Chart, Size, Testing } from 'cdk8s';
import { Cpu, Disk, VirtualMachine } from '../src';
import { type Figure, figure, median } from './figure';

/** Synth of many VMs by the construct, against the same objects as raw cdk8s ApiObjects, in turn. */
export function benchSynth(vms: number, rounds: number): Figure[] {
  const construct = (app = new App()): App => {
    const chart = new Chart(app, 'bench', { disableResourceNameHashes: true });
    for (let i = 0; i < vms; i++) {
      new VirtualMachine(chart, `vm-${i}`, {
        cpu: Cpu.cores(1),
        memory: Size.mebibytes(256),
        disks: [Disk.containerDisk('localhost/virt8s/tiny:latest')],
      });
    }
    return app;
  };
  const objects = Testing.synth(construct().node.findChild('bench') as Chart) as {
    apiVersion: string;
    kind: string;
    metadata: { name: string };
  }[];
  const raw = (): App => {
    const app = new App();
    const chart = new Chart(app, 'bench', { disableResourceNameHashes: true });
    for (const { metadata, ...rest } of objects) {
      new ApiObject(chart, metadata.name, { ...rest, metadata: { ...metadata } });
    }
    return app;
  };
  // construction, validation and YAML, as `cdk8s synth` does
  const time = (build: () => App): number => {
    const start = process.hrtime.bigint();
    build().synthYaml();
    return Number(process.hrtime.bigint() - start) / 1e6;
  };
  raw().synthYaml();
  construct().synthYaml(); // both are warm now
  const ratios: number[] = [];
  const ours: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const mine = time(() => construct());
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
