import { App } from 'cdk8s';
import { CloudInit } from 'virt8s';
const app = new App();
CloudInit.noCloud({ networkConfig: { ethernets: {} } });

export { app };
