/** Images of the platform, each with its property of `PlatformImages`. */
export const IMAGES = {
  'upload-proxy': 'uploadProxy',
  'virt-api': 'virtApi',
  'virt-controller': 'virtController',
  'virt-handler': 'virtHandler',
  'virt-importer': 'virtImporter',
  'virt-launcher': 'virtLauncher',
  'virt-operator': 'virtOperator',
} as const;

/** Image of the engine itself, which is built only by its name. */
export const ENGINE = 'engine';

export type ImageName = keyof typeof IMAGES;
export const imageNames = Object.keys(IMAGES) as ImageName[];
