import { PullPolicy } from '../storage/disk-choices';
import { INamedObject } from '../resource';
import { mistakeInCode } from '../validation';

/** Where the images of the platform are. */
export interface PlatformImagesProps {
  /** Registry and path: `registry.example/virt8s` has `virt-api`, `virt-controller`, … below it. */
  readonly registry: string;
  /** Tag of all images: a version. */
  readonly tag: string;
  /**
   * When images are pulled.
   * @default - Kubernetes': always for the tag `latest`, else when the node does not have it
   */
  readonly pullPolicy?: PullPolicy;
  /**
   * Secrets of the platform's namespace for pulling its images. Launchers run in the namespaces of their VMs, where
   * these are not: nodes must be able to pull `virt-launcher` without.
   * @default - none
   */
  readonly pullSecrets?: INamedObject[];
  /**
   * Whole reference of virt-api's image, with tag or digest.
   * @default - of registry and tag
   */
  readonly virtApi?: string;
  /**
   * Whole reference of virt-controller's image, with tag or digest.
   * @default - of registry and tag
   */
  readonly virtController?: string;
  /**
   * Whole reference of virt-handler's image, with tag or digest.
   * @default - of registry and tag
   */
  readonly virtHandler?: string;
  /**
   * Whole reference of the image in which guests run, with tag or digest.
   * @default - of registry and tag
   */
  readonly virtLauncher?: string;
  /**
   * Whole reference of virt-operator's image, with tag or digest.
   * @default - of registry and tag
   */
  readonly virtOperator?: string;
}

const RULE = 'image-reference';
const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const DIGEST = /@sha256:[0-9a-f]{64}$/;
/** The last part of a path has the tag: a colon before it is the registry's port. */
const TAGGED = /^[^\s@]+\/[^\s/:@]+:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/**
 * The images of the platform. No registry is built in: `virt8s images build --push REGISTRY` fills yours.
 */
export class PlatformImages {
  /**
   * Images of one registry and version; each can be another one.
   *
   * Throws for a registry that is a URL, and for an image without tag or digest: it would change under a running
   * platform.
   *
   * @param props registry, tag, and images with other names
   * @example
   * new VirtPlatform(chart, 'platform', {
   *   images: PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' }),
   * });
   */
  public static of(props: PlatformImagesProps): PlatformImages {
    return new PlatformImages(props);
  }

  /** Of virt-api. */
  public readonly virtApi: string;
  /** Of virt-controller. */
  public readonly virtController: string;
  /** Of virt-handler. */
  public readonly virtHandler: string;
  /** In which guests run. */
  public readonly virtLauncher: string;
  /** Of virt-operator. */
  public readonly virtOperator: string;
  /** Registry and path. */
  public readonly registry: string;
  /** Tag of those that are not named whole. */
  public readonly tag: string;
  /** When images are pulled. */
  public readonly pullPolicy?: PullPolicy;
  /** Secrets for pulling them. */
  public readonly pullSecrets: INamedObject[];

  private constructor(props: PlatformImagesProps) {
    const { registry, tag } = props;
    if (/^[a-z]+:\/\//.test(registry) || registry === '' || /\s|\/$/.test(registry)) {
      const remedy = 'write host and path, such as registry.example/virt8s';
      mistakeInCode('PlatformImages.of', 'registry', `"${registry}" is no registry`, remedy, RULE);
    }
    if (!TAG.test(tag)) {
      const remedy = 'name a version, such as v1.2.0; a digest belongs into the whole reference of one image';
      mistakeInCode('PlatformImages.of', 'tag', `"${tag}" is no tag`, remedy, RULE);
    }
    const image = (property: string, name: string, given: string | undefined): string => {
      if (given === undefined) return `${registry}/${name}:${tag}`;
      if (DIGEST.test(given) || TAGGED.test(given)) return given;
      const remedy = `write it whole, such as ${registry}/${name}:${tag}`;
      return mistakeInCode('PlatformImages.of', property, `"${given}" has no tag and no digest`, remedy, RULE);
    };
    this.registry = registry;
    this.tag = tag;
    this.virtApi = image('virtApi', 'virt-api', props.virtApi);
    this.virtController = image('virtController', 'virt-controller', props.virtController);
    this.virtHandler = image('virtHandler', 'virt-handler', props.virtHandler);
    this.virtLauncher = image('virtLauncher', 'virt-launcher', props.virtLauncher);
    this.virtOperator = image('virtOperator', 'virt-operator', props.virtOperator);
    this.pullPolicy = props.pullPolicy;
    this.pullSecrets = [...(props.pullSecrets ?? [])];
  }
}
