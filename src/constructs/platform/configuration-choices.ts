import { Choice } from '../choice';

/** Interface of VMs without `networks`. */
export class DefaultInterface extends Choice {
  /** The guest takes over the Pod's address. */
  public static readonly BRIDGE = DefaultInterface.of('bridge');
  /** The guest is behind NAT, and reached through the Pod's address. */
  public static readonly MASQUERADE = DefaultInterface.of('masquerade');

  /**
   * Any other value that the platform supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): DefaultInterface {
    return new DefaultInterface(value);
  }
}

/** Time at which changes to a VM reach its running guest. */
export class RolloutStrategy extends Choice {
  /** Immediately, if possible. */
  public static readonly LIVE_UPDATE = RolloutStrategy.of('LiveUpdate');
  /** At the next start. */
  public static readonly STAGE = RolloutStrategy.of('Stage');

  /**
   * Any other value that the platform supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): RolloutStrategy {
    return new RolloutStrategy(value);
  }
}

/** Form in which VMs store their instance type and preference. */
export class ReferencePolicy extends Choice {
  /** By name, with a copy of the referenced object. */
  public static readonly REFERENCE = ReferencePolicy.of('reference');
  /** New VMs get the fields instead of the name. */
  public static readonly EXPAND = ReferencePolicy.of('expand');
  /** All VMs get the fields instead of the name. */
  public static readonly EXPAND_ALL = ReferencePolicy.of('expandAll');

  /**
   * Any other value that the platform supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): ReferencePolicy {
    return new ReferencePolicy(value);
  }
}

/** Minimum TLS version of a server. */
export class LeastTlsVersion extends Choice {
  /** TLS 1.2. */
  public static readonly TLS_1_2 = LeastTlsVersion.of('VersionTLS12');
  /** TLS 1.3. */
  public static readonly TLS_1_3 = LeastTlsVersion.of('VersionTLS13');

  /**
   * Any other value that the platform supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): LeastTlsVersion {
    return new LeastTlsVersion(value);
  }
}

/** Connection of the interface of a binding plugin. */
export class DomainAttachment extends Choice {
  /** Tap device. */
  public static readonly TAP = DomainAttachment.of('tap');
  /** Tap device with DHCP. */
  public static readonly MANAGED_TAP = DomainAttachment.of('managedTap');

  /**
   * Any other value that the platform supports.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): DomainAttachment {
    return new DomainAttachment(value);
  }
}

/** Network binding plugin (`configuration.network.binding`). */
export interface BindingPlugin {
  /**
   * Image of a sidecar container that changes the domain.
   * @default - none
   */
  readonly sidecarImage?: string;
  /**
   * NetworkAttachmentDefinition for the Pods: `NAME` or `NAMESPACE/NAME`.
   * @default - none
   */
  readonly networkAttachment?: string;
  /**
   * How the platform connects the interface.
   * @default - the sidecar connects the interface
   */
  readonly domainAttachment?: DomainAttachment;
  /**
   * Whether the sidecar can read which device it received.
   * @default false
   */
  readonly deviceInfo?: boolean;
  /**
   * Whether guests with this binding can migrate. Their link is briefly down after the migration.
   * @default false
   */
  readonly migrates?: boolean;
}
