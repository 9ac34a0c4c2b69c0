import { App } from 'cdk8s';
import { CloudInit } from 'virt8s';
const app = new App();
CloudInit.noCloud({ raw: { pakages: ['nginx'] } });

export { app };
