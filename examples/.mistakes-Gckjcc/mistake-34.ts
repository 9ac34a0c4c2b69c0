import { App } from 'cdk8s';
import { CloudUser } from 'virt8s';
const app = new App();
CloudUser.named('me', { sshKeys: ['AAAAC3NzaC1lZDI1NTE5'] });

export { app };
