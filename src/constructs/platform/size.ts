import { Size } from 'cdk8s';
import { compareQuantities, quantityHint, tryParseQuantity } from '../../api/quantity';
import { mistakeInCode } from '../validation';
import { quantityOf } from './objects';

/** Resources of a component's Pods, and their number. */
export interface ComponentSize {
  /**
   * Number of Pods. virt-handler has one on each node.
   * @default - depends on the number of nodes
   */
  readonly replicas?: number;
  /**
   * CPU request, as a quantity: `100m`.
   * @default - depends on the number of nodes
   */
  readonly cpuRequest?: string;
  /**
   * CPU limit, as a quantity.
   * @default - none
   */
  readonly cpuLimit?: string;
  /**
   * Memory request.
   * @default - depends on the number of nodes
   */
  readonly memoryRequest?: Size;
  /**
   * Memory limit. A component that exceeds it is killed and restarted.
   * @default - none
   */
  readonly memoryLimit?: Size;
}

/** Number of objects of each kind that virt-controller processes at the same time: 1 to 1000. */
export interface ControllerThreads {
  /**
   * Number of VMs.
   * @default 3
   */
  readonly virtualMachines?: number;
  /**
   * Number of running instances of VMs.
   * @default 10
   */
  readonly instances?: number;
  /**
   * Number of nodes.
   * @default 3
   */
  readonly nodes?: number;
}

/** Sizes that replace those for the number of nodes. */
export interface PlatformSizeOptions {
  /**
   * Average number of guests on a node.
   * @default 50
   */
  readonly guestsPerNode?: number;
  /**
   * Size of the upload proxy. An upload whose Pod ends continues with another one.
   * @default - one Pod, 96 MiB
   */
  readonly uploadProxy?: ComponentSize;
  /**
   * Size of virt-api.
   * @default - depends on the number of nodes
   */
  readonly virtApi?: ComponentSize;
  /**
   * Size of virt-controller.
   * @default - depends on the number of nodes
   */
  readonly virtController?: ComponentSize;
  /**
   * Size of virt-handler.
   * @default - one Pod on each node, 128 MiB
   */
  readonly virtHandler?: ComponentSize;
  /**
   * Size of virt-operator.
   * @default - one Pod, 96 MiB
   */
  readonly virtOperator?: ComponentSize;
}

/** A VM, its instance and Pod take about 6 KiB in virt-controller's cache; the rest is for processing them. */
const KIB_PER_GUEST = 32;
const CONTROLLER_MIB = 128;
const NODES_PER_API = 50;
const MOST_APIS = 10;

/**
 * Size of an installation.
 *
 * | nodes | virt-api | virt-controller |
 * |---|---|---|
 * | 1 | 1 × 160 MiB | 1 × 130 MiB |
 * | 3 | 2 × 160 MiB | 2 × 133 MiB |
 * | 100 | 2 × 160 MiB | 2 × 285 MiB |
 * | 1000 | 10 × 160 MiB | 2 × 1691 MiB |
 */
export class PlatformSize {
  /**
   * Sizes an installation for a number of nodes that run guests. One virt-controller is active and a second one waits
   * to take over; all Pods of virt-api share the work.
   *
   * Throws if the number is not a positive integer.
   *
   * @param nodes number of nodes
   * @param options guests on each node, and sizes to replace
   * @example
   * new VirtPlatform(chart, 'platform', {
   *   images: PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' }),
   *   size: PlatformSize.forNodes(50),
   * });
   */
  public static forNodes(nodes: number, options: PlatformSizeOptions = {}): PlatformSize {
    return new PlatformSize(nodes, options);
  }

  /** Number of nodes that run guests. */
  public readonly nodes: number;
  /** Size of the upload proxy. */
  public readonly uploadProxy: ComponentSize;
  /** Size of virt-api. */
  public readonly virtApi: ComponentSize;
  /** Size of virt-controller. */
  public readonly virtController: ComponentSize;
  /** Size of virt-handler. */
  public readonly virtHandler: ComponentSize;
  /** Size of virt-operator. */
  public readonly virtOperator: ComponentSize;

  private constructor(nodes: number, options: PlatformSizeOptions) {
    const guestsPerNode = options.guestsPerNode ?? 50;
    positive('nodes', nodes);
    positive('guestsPerNode', guestsPerNode);
    const atLeast = Math.min(nodes, 2);
    const apis = Math.min(MOST_APIS, Math.max(atLeast, Math.ceil(nodes / NODES_PER_API)));
    const controllerMib = CONTROLLER_MIB + Math.ceil((nodes * guestsPerNode * KIB_PER_GUEST) / 1024);
    this.nodes = nodes;
    const mebibytes = (amount: number): Size => Size.mebibytes(amount);
    const sized = (name: string, size: ComponentSize, given: ComponentSize = {}): ComponentSize => {
      const all = { ...size, ...given };
      if (all.replicas !== undefined) positive(`${name}.replicas`, all.replicas);
      fits(name, 'cpu', all.cpuRequest, all.cpuLimit);
      fits(
        name,
        'memory',
        all.memoryRequest && quantityOf(all.memoryRequest),
        all.memoryLimit && quantityOf(all.memoryLimit),
      );
      return all;
    };
    this.uploadProxy = sized(
      'uploadProxy',
      { replicas: 1, cpuRequest: '10m', memoryRequest: mebibytes(96) },
      options.uploadProxy,
    );
    this.virtApi = sized(
      'virtApi',
      { replicas: apis, cpuRequest: '50m', memoryRequest: mebibytes(160) },
      options.virtApi,
    );
    this.virtController = sized(
      'virtController',
      {
        replicas: atLeast,
        cpuRequest: nodes > 100 ? '500m' : '50m',
        memoryRequest: mebibytes(controllerMib),
      },
      options.virtController,
    );
    this.virtHandler = sized('virtHandler', { cpuRequest: '25m', memoryRequest: mebibytes(128) }, options.virtHandler);
    this.virtOperator = sized(
      'virtOperator',
      { replicas: 1, cpuRequest: '10m', memoryRequest: mebibytes(96) },
      options.virtOperator,
    );
  }
}

function positive(property: string, value: number): void {
  if (Number.isInteger(value) && value > 0) return;
  const message = `${value} is not a positive whole number`;
  mistakeInCode('PlatformSize.forNodes', property, message, 'use a whole number from 1', 'platform-size');
}

/** Kubernetes rejects a Pod whose request exceeds its limit. */
function fits(name: string, of: 'cpu' | 'memory', request: string | undefined, limit: string | undefined): void {
  const refuse = (property: string, message: string, remedy: string): never =>
    mistakeInCode('PlatformSize.forNodes', `${name}.${property}`, message, remedy, 'platform-size');
  for (const [property, given] of [
    [`${of}Request`, request],
    [`${of}Limit`, limit],
  ] as const) {
    const known = given === undefined || (tryParseQuantity(given)?.nanos ?? 0n) > 0n;
    if (!known) refuse(property, `"${given}" is not an amount`, `write ${quantityHint}`);
  }
  if (request === undefined || limit === undefined || compareQuantities(limit, request) >= 0) return;
  refuse(
    `${of}Limit`,
    `${limit} is less than the ${request} that are requested`,
    `raise the limit or lower ${of}Request`,
  );
}
