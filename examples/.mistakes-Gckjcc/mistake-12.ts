import { Chart, App } from 'cdk8s';
import { VirtPlatform } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new VirtPlatform(chart, 'platform', {});

export { app };
