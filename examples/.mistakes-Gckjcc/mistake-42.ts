import { Chart, App } from 'cdk8s';
import { PlatformImages, VirtPlatform } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new VirtPlatform(chart, 'platform', { images: PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' }), nodes: 0 });

export { app };
