/** Options of a permitted device. */
export interface PermittedHostDeviceOptions {
  /**
   * Whether another device plugin offers the device. The platform then only permits VMs to use it.
   * @default false
   */
  readonly externalProvider?: boolean;
}

/** Device of nodes that can be assigned to VMs, by its resource name. */
export class PermittedHostDevice {
  /**
   * Permits PCI devices by vendor and product, in hexadecimal: `pci('nvidia.com/TU104GL_Tesla_T4', '10DE:1EB8')`.
   *
   * @param resourceName resource of the device plugin, such as `nvidia.com/T4`
   * @param vendorProduct vendor and product, such as `10DE:1EB8`
   * @param options whether another device plugin offers it
   * @example
   * new KubeVirt(chart, 'kubevirt', {
   *   configuration: { permittedHostDevices: [PermittedHostDevice.pci('nvidia.com/T4', '10DE:1EB8')] },
   * });
   */
  public static pci(
    resourceName: string,
    vendorProduct: string,
    options?: PermittedHostDeviceOptions,
  ): PermittedHostDevice {
    return new PermittedHostDevice('pciHostDevices', { pciVendorSelector: vendorProduct, resourceName }, options);
  }

  /**
   * Permits mediated devices by the name of their type: `mediated('nvidia.com/GRID_T4-1Q', 'GRID T4-1Q')`.
   *
   * @param resourceName resource of the device plugin, such as `nvidia.com/T4`
   * @param typeName type of the mediated device, such as `GRID T4-1Q`
   * @param options whether another device plugin offers it
   * @example
   * new KubeVirt(chart, 'kubevirt', {
   *   configuration: { permittedHostDevices: [PermittedHostDevice.mediated('nvidia.com/T4-1Q', 'GRID T4-1Q')] },
   * });
   */
  public static mediated(
    resourceName: string,
    typeName: string,
    options?: PermittedHostDeviceOptions,
  ): PermittedHostDevice {
    return new PermittedHostDevice('mediatedDevices', { mdevNameSelector: typeName, resourceName }, options);
  }

  /**
   * Permits a group of USB devices that are assigned together, by vendor and product in hexadecimal:
   * `usb('kubevirt.io/key', ['46f4:0001'])`.
   *
   * @param resourceName resource of the device plugin, such as `nvidia.com/T4`
   * @param vendorProducts vendors and products, such as `1050:0407`
   * @param options whether another device plugin offers it
   * @example
   * new KubeVirt(chart, 'kubevirt', {
   *   configuration: { permittedHostDevices: [PermittedHostDevice.usb('vendor.example/token', ['1050:0407'])] },
   * });
   */
  public static usb(
    resourceName: string,
    vendorProducts: string[],
    options?: PermittedHostDeviceOptions,
  ): PermittedHostDevice {
    const selectors = vendorProducts.map((text) => {
      const [vendor, ...product] = text.split(':');
      return { vendor, product: product.join(':') };
    });
    return new PermittedHostDevice('usb', { resourceName, selectors }, options);
  }

  private constructor(
    private readonly list: 'pciHostDevices' | 'mediatedDevices' | 'usb',
    private readonly fields: object,
    private readonly options: PermittedHostDeviceOptions = {},
  ) {}

  /** @internal */
  public _list(): 'pciHostDevices' | 'mediatedDevices' | 'usb' {
    return this.list;
  }

  /** @internal */
  public _render(): object {
    const { externalProvider } = this.options;
    return {
      ...this.fields,
      ...(externalProvider === undefined ? {} : { externalResourceProvider: externalProvider }),
    };
  }
}

/** Mediated devices to create on nodes. */
export interface MediatedDeviceType {
  /** Types of the devices, by name or id: `nvidia-222`. */
  readonly types: string[];
  /**
   * Labels of the nodes that get these types instead of the types for all nodes.
   * @default - all nodes
   */
  readonly nodeSelector?: { readonly [label: string]: string };
}
