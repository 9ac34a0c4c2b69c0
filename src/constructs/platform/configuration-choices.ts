import { Choice } from '../choice';

/** Interface of VMs that name no network. */
export class DefaultInterface extends Choice {
  /** The guest has the Pod's address. */
  public static readonly BRIDGE = DefaultInterface.of('bridge');
  /** The guest is behind the Pod's address. */
  public static readonly MASQUERADE = DefaultInterface.of('masquerade');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): DefaultInterface {
    return new DefaultInterface(value);
  }
}

/** Whether a change of a VM reaches its running guest. */
export class RolloutStrategy extends Choice {
  /** At once, where that works. */
  public static readonly LIVE_UPDATE = RolloutStrategy.of('LiveUpdate');
  /** At the next start. */
  public static readonly STAGE = RolloutStrategy.of('Stage');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): RolloutStrategy {
    return new RolloutStrategy(value);
  }
}

/** What VMs keep of their instance type and preference. */
export class ReferencePolicy extends Choice {
  /** The name, and a copy of what it led to. */
  public static readonly REFERENCE = ReferencePolicy.of('reference');
  /** New VMs get its fields in place of the name. */
  public static readonly EXPAND = ReferencePolicy.of('expand');
  /** All VMs get its fields in place of the name. */
  public static readonly EXPAND_ALL = ReferencePolicy.of('expandAll');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): ReferencePolicy {
    return new ReferencePolicy(value);
  }
}

/** Least TLS version that a server speaks. */
export class LeastTlsVersion extends Choice {
  /** TLS 1.2. */
  public static readonly TLS_1_2 = LeastTlsVersion.of('VersionTLS12');
  /** TLS 1.3. */
  public static readonly TLS_1_3 = LeastTlsVersion.of('VersionTLS13');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): LeastTlsVersion {
    return new LeastTlsVersion(value);
  }
}

/** How the platform itself connects the interface of a binding plugin. */
export class DomainAttachment extends Choice {
  /** By a tap device. */
  public static readonly TAP = DomainAttachment.of('tap');
  /** By a tap device, with DHCP. */
  public static readonly MANAGED_TAP = DomainAttachment.of('managedTap');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): DomainAttachment {
    return new DomainAttachment(value);
  }
}

/** A network binding plugin (`configuration.network.binding`). */
export interface BindingPlugin {
  /**
   * Image of a container that changes the domain.
   * @default - none
   */
  readonly sidecarImage?: string;
  /**
   * NetworkAttachmentDefinition that its Pods get: `NAME` or `NAMESPACE/NAME`.
   * @default - none
   */
  readonly networkAttachment?: string;
  /**
   * How the platform itself connects the interface.
   * @default - the sidecar does it
   */
  readonly domainAttachment?: DomainAttachment;
  /**
   * The sidecar can read which device it got.
   * @default false
   */
  readonly deviceInfo?: boolean;
  /**
   * Guests with it can migrate: their link goes down and up once they have moved.
   * @default false
   */
  readonly migrates?: boolean;
}
