/**
 * What must compile, and what must not: checked with everything else by the type check, never run.
 */
import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import * as core from 'virt8s';
import {
  CloudInit,
  CloudUser,
  Cpu,
  DataVolume,
  Disk,
  DiskBus,
  Duration,
  fromChart,
  Instancetype,
  JsonPatch,
  RunStrategy,
  Size,
  VirtualMachine,
  VirtualMachineSnapshot,
  VmPort,
  VmService,
} from 'virt8s/pulumi';

declare const text: pulumi.Output<string>;
declare const count: pulumi.Output<number>;
declare const flag: pulumi.Output<boolean>;
declare const texts: pulumi.Output<string[]>;
declare const promised: Promise<string>;
declare const secret: k8s.core.v1.Secret;
declare const provider: k8s.Provider;

// Inputs at any depth
const vm = new VirtualMachine(
  'web',
  {
    cpu: Cpu.cores(count, { model: text }),
    memory: Size.gibibytes(count),
    disks: [
      Disk.containerDisk(text, { bus: DiskBus.of(text), readOnly: flag, pullSecret: { name: secret.metadata.name } }),
      Disk.blank(Size.gibibytes(10)),
      core.Disk.containerDisk('registry.example/tiny:1'),
    ],
    cloudInit: CloudInit.noCloud({
      users: [
        CloudUser.named('me', { sshKeys: texts }),
        CloudUser.named(text, { sshKeys: [text, promised, 'ssh-rsa …'] }),
      ],
      runcmd: [pulumi.interpolate`echo ${text}`],
      packages: texts,
    }),
    runStrategy: RunStrategy.of(text),
    terminationGracePeriod: Duration.seconds(count),
    hostname: promised,
    requests: { cpu: text },
    metadata: { namespace: text, labels: { a: text }, annotations: pulumi.output({ a: 'b' }) },
  },
  { provider, dependsOn: [secret], import: 'default/web', aliases: [{ name: 'old' }], ignoreChanges: ['spec'] },
);
new VirtualMachine('small');
new VirtualMachine('small', {});

// methods and facets take Inputs, too
vm.addDisk(Disk.emptyDisk(Size.gibibytes(count)));
vm.scheduling.selectNode(text, text);
vm.metadata.addLabel('a', text);
vm.apiObject.addJsonPatch(JsonPatch.add('/spec/x', text));
const service = vm.exposeViaService('http', { ports: [VmPort.tcp(count, { name: text })] });

// Outputs out
export const outputs: Record<string, pulumi.Output<string>> = {
  name: vm.name,
  namespace: vm.namespace,
  kind: vm.kind,
  ip: vm.ip,
  ssh: vm.sshCommand(text),
  host: service.host,
  strategy: vm.runStrategy.value,
};
export const ports: pulumi.Output<number>[] = service.ports.map(({ port }) => port);
export const resource: pulumi.Resource = vm;

// components and what their methods return are arguments
new VirtualMachineSnapshot('before', { source: vm }, { parent: vm });
new VirtualMachineSnapshot('before', { source: { name: text } });
new VmService('front', { target: vm, ports: [VmPort.HTTP] });
const disk = new DataVolume('disk', { source: core.DataVolumeSource.blank(), size: Size.gibibytes(count) });
vm.addDisk(Disk.dataVolume(disk));
const size = new Instancetype('small', { cpus: count, memory: Size.gibibytes(1) });
new VirtualMachine('sized', { instancetype: size });

// construct code
fromChart('shop', (chart) => new core.VirtualMachine(chart, 'web', {}));
fromChart('shop', { image: text, sizes: [count] }, (chart, { image, sizes }) => {
  new core.VirtualMachine(chart, image, { hostname: `web-${sizes[0]}` });
});

// @ts-expect-error a number is not a string
new VirtualMachine('wrong', { hostname: count });
// @ts-expect-error a string is not a number
Cpu.cores(text);
// @ts-expect-error no such property
new VirtualMachine('wrong', { hostnme: text });
// @ts-expect-error a disk is made by a factory
new VirtualMachine('wrong', { disks: [{ name: text }] });
// @ts-expect-error a CPU is not a disk
new VirtualMachine('wrong', { disks: [Cpu.cores(count)] });
// @ts-expect-error an Output of nothing that has a name
new VirtualMachineSnapshot('wrong', { source: text });
// @ts-expect-error what is needed is needed
new VirtualMachineSnapshot('wrong', {});
// @ts-expect-error no option of Pulumi
new VirtualMachine('wrong', {}, { dependson: [] });
// @ts-expect-error no such method
vm.addDisc(Disk.emptyDisk(Size.gibibytes(1)));
// @ts-expect-error an Output is read by apply
export const plain: string = vm.name;
// @ts-expect-error a class for Pulumi takes no scope
new VirtualMachine(undefined as unknown as core.VirtualMachine, 'wrong');
