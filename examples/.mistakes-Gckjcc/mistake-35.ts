import { App } from 'cdk8s';
import { CloudInit } from 'virt8s';
const app = new App();
CloudInit.noCloud({ writeFiles: [{ path: '/k', content: '-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n-----END OPENSSH PRIVATE KEY-----' }] });

export { app };
