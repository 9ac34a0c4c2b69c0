/** Images of the platform, each with its property of `PlatformImages`. */
export const IMAGES = {
  'virt-api': 'virtApi',
  'virt-controller': 'virtController',
  'virt-handler': 'virtHandler',
  'virt-launcher': 'virtLauncher',
} as const;

export type ImageName = keyof typeof IMAGES;
export const imageNames = Object.keys(IMAGES) as ImageName[];
