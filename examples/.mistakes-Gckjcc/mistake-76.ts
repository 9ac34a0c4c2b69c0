import { Chart, App, Size } from 'cdk8s';
import { EvictionStrategy, VirtualMachine, AccessMode, Disk } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), evictionStrategy: EvictionStrategy.LIVE_MIGRATE, disks: [Disk.blank(Size.gibibytes(1), { accessModes: [AccessMode.READ_WRITE_ONCE] })] });

export { app };
