import { App } from 'cdk8s';
import { CloudInit } from 'virt8s';
const app = new App();
CloudInit.noCloud({ writeFiles: [{ path: '/etc/motd', content: 'hi', permissions: 'rw' }] });

export { app };
