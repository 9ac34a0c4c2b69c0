import { Chart, App } from 'cdk8s';
import { KubeVirt } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new KubeVirt(chart, 'a', {});
new KubeVirt(chart, 'b', {});

export { app };
