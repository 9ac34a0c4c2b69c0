import { Chart, App, Size } from 'cdk8s';
import { VirtualMachine, MigrationPolicy } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), instanceMetadata: { labels: { tier: 'database' } } });
new MigrationPolicy(chart, 'slow', { instanceLabels: { tier: 'databases' }, allowPostCopy: true });

export { app };
