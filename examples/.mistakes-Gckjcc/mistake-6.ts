import { App } from 'cdk8s';
import { Disk } from 'virt8s';
const app = new App();
Disk.http('https://registry.example/os.qcow2');

export { app };
