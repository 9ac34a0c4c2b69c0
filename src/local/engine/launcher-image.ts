/** Image of the engine's launcher Pods, in the cache folder of this machine. */
export const launcherImage = 'localhost/virt8s/virt-launcher:dev';
