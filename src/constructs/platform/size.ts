import { Size } from 'cdk8s';
import { compareQuantities, quantityHint, tryParseQuantity } from '../../api/quantity';
import { mistakeInCode } from '../validation';
import { quantityOf } from './objects';

/** What one Pod of a component asks for, and how many there are. */
export interface ComponentSize {
  /**
   * Pods. virt-handler has one on each node.
   * @default - by the number of nodes
   */
  readonly replicas?: number;
  /**
   * CPU that is set aside, as a quantity: `100m`.
   * @default - by the number of nodes
   */
  readonly cpuRequest?: string;
  /**
   * CPU that is never exceeded, as a quantity.
   * @default - none
   */
  readonly cpuLimit?: string;
  /**
   * Memory that is set aside.
   * @default - by the number of nodes
   */
  readonly memoryRequest?: Size;
  /**
   * Memory that is never exceeded: a component that needs more is killed and starts again.
   * @default - none
   */
  readonly memoryLimit?: Size;
}

/** How many objects of a kind virt-controller works on at a time: 1 to 1000. */
export interface ControllerThreads {
  /**
   * VMs.
   * @default 3
   */
  readonly virtualMachines?: number;
  /**
   * Running instances of VMs.
   * @default 10
   */
  readonly instances?: number;
  /**
   * Nodes.
   * @default 3
   */
  readonly nodes?: number;
}

/** Sizes that differ from those by the number of nodes. */
export interface PlatformSizeOptions {
  /**
   * Guests of a node, on average.
   * @default 50
   */
  readonly guestsPerNode?: number;
  /**
   * Of virt-api.
   * @default - by the number of nodes
   */
  readonly virtApi?: ComponentSize;
  /**
   * Of virt-controller.
   * @default - by the number of nodes
   */
  readonly virtController?: ComponentSize;
  /**
   * Of virt-handler.
   * @default - one Pod on each node, 128 MiB
   */
  readonly virtHandler?: ComponentSize;
  /**
   * Of virt-operator.
   * @default - one Pod, 96 MiB
   */
  readonly virtOperator?: ComponentSize;
}

/** A kept VM, its instance and Pod in virt-controller's memory are some 6 KiB; the rest is what work on them takes. */
const KIB_PER_GUEST = 32;
const CONTROLLER_MIB = 128;
const NODES_PER_API = 50;
const MOST_APIS = 10;

/**
 * How large an installation is.
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
   * By the number of nodes that run guests. One virt-controller works at a time, a second one waits; virt-api's Pods
   * share the work.
   *
   * Throws for a number that is not positive and whole.
   *
   * @param nodes number of nodes
   * @param options guests on each node, and sizes that differ
   * @example
   * new VirtPlatform(chart, 'platform', {
   *   images: PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1' }),
   *   size: PlatformSize.forNodes(50),
   * });
   */
  public static forNodes(nodes: number, options: PlatformSizeOptions = {}): PlatformSize {
    return new PlatformSize(nodes, options);
  }

  /** Nodes that run guests. */
  public readonly nodes: number;
  /** Of virt-api. */
  public readonly virtApi: ComponentSize;
  /** Of virt-controller. */
  public readonly virtController: ComponentSize;
  /** Of virt-handler. */
  public readonly virtHandler: ComponentSize;
  /** Of virt-operator. */
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
  const message = `${value} is no number of them`;
  mistakeInCode('PlatformSize.forNodes', property, message, 'write a whole number from 1', 'platform-size');
}

/** Kubernetes takes no Pod that asks for more than it may have. */
function fits(name: string, of: 'cpu' | 'memory', request: string | undefined, limit: string | undefined): void {
  const refuse = (property: string, message: string, remedy: string): never =>
    mistakeInCode('PlatformSize.forNodes', `${name}.${property}`, message, remedy, 'platform-size');
  for (const [property, given] of [
    [`${of}Request`, request],
    [`${of}Limit`, limit],
  ] as const) {
    const known = given === undefined || (tryParseQuantity(given)?.nanos ?? 0n) > 0n;
    if (!known) refuse(property, `"${given}" is no amount`, `write ${quantityHint}`);
  }
  if (request === undefined || limit === undefined || compareQuantities(limit, request) >= 0) return;
  refuse(`${of}Limit`, `${limit} is less than the ${request} that are requested`, `raise it, or set ${of}Request`);
}
