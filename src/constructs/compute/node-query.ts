import type { core } from '../../api';

/** A question to the labels of a node. */
export class NodeQuery {
  /** The label has this value. */
  public static is(label: string, value: string): NodeQuery {
    return new NodeQuery(label, 'In', [value]);
  }

  /** The label has one of these values. */
  public static in(label: string, values: string[]): NodeQuery {
    return new NodeQuery(label, 'In', values);
  }

  /** The label is missing, or has none of these values. */
  public static notIn(label: string, values: string[]): NodeQuery {
    return new NodeQuery(label, 'NotIn', values);
  }

  /** The label is there. */
  public static exists(label: string): NodeQuery {
    return new NodeQuery(label, 'Exists');
  }

  /** The label is missing. */
  public static doesNotExist(label: string): NodeQuery {
    return new NodeQuery(label, 'DoesNotExist');
  }

  /** The label is an integer, and above this number. */
  public static gt(label: string, value: number): NodeQuery {
    return new NodeQuery(label, 'Gt', [`${value}`]);
  }

  /** The label is an integer, and below this number. */
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
