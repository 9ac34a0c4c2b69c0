import type { core } from '../../api';

/** A question to the labels of a node. */
export class NodeQuery {
  /**
   * The label has this value.
   *
   * @param label key of the label, such as `topology.kubernetes.io/zone`
   * @param value value of the label
   * @example
   * vm.scheduling.attract([NodeQuery.is('topology.kubernetes.io/zone', 'a')]);
   */
  public static is(label: string, value: string): NodeQuery {
    return new NodeQuery(label, 'In', [value]);
  }

  /**
   * The label has one of these values.
   *
   * @param label key of the label, such as `topology.kubernetes.io/zone`
   * @param values values of which the label must have one
   * @example
   * vm.scheduling.attract([NodeQuery.in('topology.kubernetes.io/zone', ['a', 'b'])]);
   */
  public static in(label: string, values: string[]): NodeQuery {
    return new NodeQuery(label, 'In', values);
  }

  /**
   * The label is missing, or has none of these values.
   *
   * @param label key of the label, such as `topology.kubernetes.io/zone`
   * @param values values of which the label must have none
   * @example
   * vm.scheduling.attract([NodeQuery.notIn('topology.kubernetes.io/zone', ['c'])]);
   */
  public static notIn(label: string, values: string[]): NodeQuery {
    return new NodeQuery(label, 'NotIn', values);
  }

  /**
   * The label is there.
   *
   * @param label key of the label, such as `topology.kubernetes.io/zone`
   * @example
   * vm.scheduling.attract([NodeQuery.exists('example.com/fast-disks')]);
   */
  public static exists(label: string): NodeQuery {
    return new NodeQuery(label, 'Exists');
  }

  /**
   * The label is missing.
   *
   * @param label key of the label, such as `topology.kubernetes.io/zone`
   * @example
   * vm.scheduling.attract([NodeQuery.doesNotExist('example.com/old')]);
   */
  public static doesNotExist(label: string): NodeQuery {
    return new NodeQuery(label, 'DoesNotExist');
  }

  /**
   * The label is an integer, and above this number.
   *
   * @param label key of the label, such as `topology.kubernetes.io/zone`
   * @param value number that the label must exceed
   * @example
   * vm.scheduling.attract([NodeQuery.gt('example.com/generation', 3)]);
   */
  public static gt(label: string, value: number): NodeQuery {
    return new NodeQuery(label, 'Gt', [`${value}`]);
  }

  /**
   * The label is an integer, and below this number.
   *
   * @param label key of the label, such as `topology.kubernetes.io/zone`
   * @param value number that the label must stay below
   * @example
   * vm.scheduling.attract([NodeQuery.lt('example.com/generation', 6)]);
   */
  public static lt(label: string, value: number): NodeQuery {
    return new NodeQuery(label, 'Lt', [`${value}`]);
  }

  private constructor(
    private readonly label: string,
    private readonly operator: core.NodeSelectorRequirement['operator'],
    private readonly values?: string[],
  ) {}

  /** @internal */
  public _render(): core.NodeSelectorRequirement {
    const { label: key, operator, values } = this;
    return { key, operator, ...(values ? { values: [...values] } : {}) };
  }
}
