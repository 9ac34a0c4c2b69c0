import { App } from 'cdk8s';
import { PlatformImages } from 'virt8s';
const app = new App();
PlatformImages.of({ registry: 'registry.example/virt8s', tag: '' });

export { app };
