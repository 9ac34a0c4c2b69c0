import { App } from 'cdk8s';
import { CloudInit } from 'virt8s';
const app = new App();
CloudInit.raw('runcmd: [ls]');

export { app };
