import { App } from 'cdk8s';
import { CloudUser } from 'virt8s';
const app = new App();
CloudUser.named('me', { password: 'secret' });

export { app };
