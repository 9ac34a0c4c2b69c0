import { Chart, App } from 'cdk8s';
import { Instancetype } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new Instancetype(chart, 'small', { cpus: 2 });

export { app };
