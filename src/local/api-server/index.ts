export { startApiServer } from './server';
export type { ApiServer, ApiServerOptions } from './server';
