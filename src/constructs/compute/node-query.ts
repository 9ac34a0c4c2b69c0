import type { core } from '../../api';

/** Condition on the labels of a node. */
export class NodeQuery {
  /**
   * Matches nodes whose label has this value.
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
   * Matches nodes whose label has one of these values.
   *
   * @param label key of the label, such as `topology.kubernetes.io/zone`
   * @param values values, one of which the label must have
   * @example
   * vm.scheduling.attract([NodeQuery.in('topology.kubernetes.io/zone', ['a', 'b'])]);
   */
  public static in(label: string, values: string[]): NodeQuery {
    return new NodeQuery(label, 'In', values);
  }

  /**
   * Matches nodes that lack the label or have another value.
   *
   * @param label key of the label, such as `topology.kubernetes.io/zone`
   * @param values values that the label must not have
   * @example
   * vm.scheduling.attract([NodeQuery.notIn('topology.kubernetes.io/zone', ['c'])]);
   */
  public static notIn(label: string, values: string[]): NodeQuery {
    return new NodeQuery(label, 'NotIn', values);
  }

  /**
   * Matches nodes that have the label, with any value.
   *
   * @param label key of the label, such as `topology.kubernetes.io/zone`
   * @example
   * vm.scheduling.attract([NodeQuery.exists('example.com/fast-disks')]);
   */
  public static exists(label: string): NodeQuery {
    return new NodeQuery(label, 'Exists');
  }

  /**
   * Matches nodes that lack the label.
   *
   * @param label key of the label, such as `topology.kubernetes.io/zone`
   * @example
   * vm.scheduling.attract([NodeQuery.doesNotExist('example.com/old')]);
   */
  public static doesNotExist(label: string): NodeQuery {
    return new NodeQuery(label, 'DoesNotExist');
  }

  /**
   * Matches nodes whose label is an integer greater than this number.
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
   * Matches nodes whose label is an integer less than this number.
   *
   * @param label key of the label, such as `topology.kubernetes.io/zone`
   * @param value number that the label must be less than
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
