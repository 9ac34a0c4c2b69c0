export { startNode } from './node';
export type { LocalNode, NodeOptions } from './node';
export { cgroupParentOf, destroyNode, survivorOf } from './cleanup';
export type { KubeletTls } from './kubelet-api/server';
export type { Log } from './pods/context';
