import { PullPolicy } from '../storage/disk-choices';
import { INamedObject } from '../resource';
import { mistakeInCode } from '../validation';
import { lockedReferences, readImageLock } from './image-lock';

/** References of the platform's images. */
export interface PlatformImagesProps {
  /** Registry and path: `registry.example/virt8s` contains `virt-api`, `virt-controller`, … */
  readonly registry: string;
  /** Tag of all images, such as a version. */
  readonly tag: string;
  /**
   * When images are pulled.
   * @default - always for the tag `latest`, otherwise only if the node does not have the image
   */
  readonly pullPolicy?: PullPolicy;
  /**
   * Secrets in the platform's namespace for pulling its images. Launchers run in the namespaces of their VMs, where
   * these Secrets do not exist: nodes must be able to pull `virt-launcher` without them.
   * @default - none
   */
  readonly pullSecrets?: INamedObject[];
  /**
   * Full reference of the upload proxy's image, with tag or digest.
   * @default - composed of `registry` and `tag`
   */
  readonly uploadProxy?: string;
  /**
   * Full reference of virt-api's image, with tag or digest.
   * @default - composed of `registry` and `tag`
   */
  readonly virtApi?: string;
  /**
   * Full reference of virt-controller's image, with tag or digest.
   * @default - composed of `registry` and `tag`
   */
  readonly virtController?: string;
  /**
   * Full reference of virt-handler's image, with tag or digest.
   * @default - composed of `registry` and `tag`
   */
  readonly virtHandler?: string;
  /**
   * Full reference of the image that fills claims, with tag or digest.
   * @default - composed of `registry` and `tag`
   */
  readonly virtImporter?: string;
  /**
   * Full reference of the image in which guests run, with tag or digest.
   * @default - composed of `registry` and `tag`
   */
  readonly virtLauncher?: string;
  /**
   * Full reference of virt-operator's image, with tag or digest.
   * @default - composed of `registry` and `tag`
   */
  readonly virtOperator?: string;
}

/** Options for images of a lock. */
export interface LockedImagesProps {
  /**
   * When images are pulled.
   * @default - only if the node does not have the image
   */
  readonly pullPolicy?: PullPolicy;
  /**
   * Secrets in the platform's namespace for pulling its images. Launchers run in the namespaces of their VMs, where
   * these Secrets do not exist: nodes must be able to pull `virt-launcher` without them.
   * @default - none
   */
  readonly pullSecrets?: INamedObject[];
}

const RULE = 'image-reference';
const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const DIGEST = /@sha256:[0-9a-f]{64}$/;
/** The tag is in the last part of the path: a colon before that is the registry's port. */
const TAGGED = /^[^\s@]+\/[^\s/:@]+:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/**
 * Images of the platform. No registry is built in: `virt8s images build --push REGISTRY` builds the images and pushes
 * them to yours.
 */
export class PlatformImages {
  /**
   * Uses the images of one registry and version. Individual images can be replaced.
   *
   * Throws if the registry is a URL, or if an image has neither tag nor digest: such an image would change under a
   * running platform.
   *
   * @param props registry, tag and full references of individual images
   * @example
   * new VirtPlatform(chart, 'platform', {
   *   images: PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' }),
   * });
   */
  public static of(props: PlatformImagesProps): PlatformImages {
    return new PlatformImages(props);
  }

  /**
   * Uses the images of a file that `virt8s images build --push REGISTRY --lock FILE` wrote, each by its digest. The file
   * is read immediately. It belongs into version control, so that every synth deploys the same images.
   *
   * Throws if the file is missing or damaged, or if it does not contain all images.
   *
   * @param file path of the lock, relative to the working directory
   * @param props how the images are pulled
   * @example
   * new VirtPlatform(chart, 'platform', {
   *   images: PlatformImages.fromLock('images.lock.json'),
   * });
   */
  public static fromLock(file: string, props: LockedImagesProps = {}): PlatformImages {
    const lock = readImageLock(file);
    const { registry, tag } = lock;
    return new PlatformImages({ ...props, ...lockedReferences(lock), registry, tag });
  }

  /** Image of the upload proxy. */
  public readonly uploadProxy: string;
  /** Image of virt-api. */
  public readonly virtApi: string;
  /** Image of virt-controller. */
  public readonly virtController: string;
  /** Image of virt-handler. */
  public readonly virtHandler: string;
  /** Image of the Pods that fill claims. */
  public readonly virtImporter: string;
  /** Image in which guests run. */
  public readonly virtLauncher: string;
  /** Image of virt-operator. */
  public readonly virtOperator: string;
  /** Registry and path. */
  public readonly registry: string;
  /** Tag of the images without a full reference. */
  public readonly tag: string;
  /** Pull policy of the images. */
  public readonly pullPolicy?: PullPolicy;
  /** Secrets for pulling the images. */
  public readonly pullSecrets: INamedObject[];

  private constructor(props: PlatformImagesProps) {
    const { registry, tag } = props;
    if (/^[a-z]+:\/\//.test(registry) || registry === '' || /\s|\/$/.test(registry)) {
      const remedy = 'write host and path, such as registry.example/virt8s';
      mistakeInCode('PlatformImages.of', 'registry', `"${registry}" is not a registry`, remedy, RULE);
    }
    // a port belongs to the host, which is before the first slash
    if (/:|@/.test(registry.includes('/') ? registry.slice(registry.indexOf('/')) : '')) {
      const remedy = 'write host and path, such as registry.example/virt8s, and the tag as tag';
      mistakeInCode('PlatformImages.of', 'registry', `"${registry}" contains a tag or a digest`, remedy, RULE);
    }
    if (!TAG.test(tag)) {
      const remedy = 'use a version, such as v1.2.0; for a digest, set the full reference of each image';
      mistakeInCode('PlatformImages.of', 'tag', `"${tag}" is not a tag`, remedy, RULE);
    }
    const image = (property: string, name: string, given: string | undefined): string => {
      if (given === undefined) return `${registry}/${name}:${tag}`;
      if (DIGEST.test(given) || TAGGED.test(given)) return given;
      const remedy = `write the full reference, such as ${registry}/${name}:${tag}`;
      return mistakeInCode('PlatformImages.of', property, `"${given}" has no tag and no digest`, remedy, RULE);
    };
    this.registry = registry;
    this.tag = tag;
    this.uploadProxy = image('uploadProxy', 'upload-proxy', props.uploadProxy);
    this.virtApi = image('virtApi', 'virt-api', props.virtApi);
    this.virtController = image('virtController', 'virt-controller', props.virtController);
    this.virtHandler = image('virtHandler', 'virt-handler', props.virtHandler);
    this.virtImporter = image('virtImporter', 'virt-importer', props.virtImporter);
    this.virtLauncher = image('virtLauncher', 'virt-launcher', props.virtLauncher);
    this.virtOperator = image('virtOperator', 'virt-operator', props.virtOperator);
    this.pullPolicy = props.pullPolicy;
    this.pullSecrets = [...(props.pullSecrets ?? [])];
  }
}
