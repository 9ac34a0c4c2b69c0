import { Chart, App } from 'cdk8s';
import { SnapshotSchedule } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new SnapshotSchedule(chart, 'nightly', { source: { name: 'db' }, schedule: '25 o clock' });

export { app };
