import { App } from 'cdk8s';
import { Disk } from 'virt8s';
const app = new App();
Disk.containerDisk('registry.example/os:1', { bus: 'virtoi' });

export { app };
