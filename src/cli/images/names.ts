import { IMAGE_PROPERTIES, type ImageName } from '../../constructs/platform/image-lock';

/** Images of the platform, each with its property of `PlatformImages`. */
export const IMAGES = IMAGE_PROPERTIES;

/** Image of the engine itself, which is built only by its name. */
export const ENGINE = 'engine';

export type { ImageName };
export const imageNames = Object.keys(IMAGES) as ImageName[];
