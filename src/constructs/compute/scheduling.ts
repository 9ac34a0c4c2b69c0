import type { core, VirtualMachineInstanceSpec } from '../../api';

/** A taint that a VM's Pod may ignore. */
export interface TolerationOptions {
  /**
   * Value of the taint.
   * @default - any
   */
  readonly value?: string;
  /**
   * `NoSchedule`, `PreferNoSchedule` or `NoExecute`.
   * @default - any
   */
  readonly effect?: string;
}

/** Facet of a VM: on which nodes it may run. */
export class VmScheduling {
  private readonly selector: Record<string, string> = {};
  private readonly tolerations: core.Toleration[] = [];

  /** The VM checks itself after each change. @internal */
  public _changed: () => void = () => undefined;

  /** Only on nodes with this label. */
  public selectNode(label: string, value: string): void {
    this.selector[label] = value;
    this._changed();
  }

  /** Also on nodes with this taint. */
  public tolerate(taint: string, options: TolerationOptions = {}): void {
    const { value, effect } = options;
    this.tolerations.push({
      key: taint,
      ...(value === undefined ? { operator: 'Exists' } : { operator: 'Equal', value }),
      ...(effect === undefined ? {} : { effect: effect as core.Toleration['effect'] }),
    });
    this._changed();
  }

  /** @internal */
  public _render(): Pick<VirtualMachineInstanceSpec, 'nodeSelector' | 'tolerations'> {
    return {
      ...(Object.keys(this.selector).length > 0 ? { nodeSelector: { ...this.selector } } : {}),
      ...(this.tolerations.length > 0 ? { tolerations: [...this.tolerations] } : {}),
    };
  }
}
