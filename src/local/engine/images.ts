/** Images of the engine's Pods, in the cache folder of this machine. */
export const launcherImage = 'localhost/virt8s/virt-launcher:dev';
export const importerImage = 'localhost/virt8s/virt-importer:dev';

/** Program of each image, and the name by which the engine finds the image. */
export const ENGINE_IMAGES: Readonly<Record<string, string>> = {
  'virt-launcher': launcherImage,
  'virt-importer': importerImage,
};
