/**
 * The components of virt8s: the ServiceAccounts of an installation in `namespace`. Only they may change the spec of a running
 * VMI, its reserved labels and its status.
 */
const COMPONENTS = ['apiserver', 'controller', 'handler', 'synchronization-controller'];

/** Whether the user is a component of the installation in `namespace`. */
export function isComponent(username: string | undefined, namespace: string): boolean {
  return COMPONENTS.some((component) => username === `system:serviceaccount:${namespace}:kubevirt-${component}`);
}
