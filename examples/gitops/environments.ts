import { Size } from 'cdk8s';

/** What differs between environments. A new field is a compile error until every environment says it. */
export interface Environment {
  /** Host name under which the shop is reached. */
  readonly host: string;
  /** Image of the guests: production gets what staging has proven. */
  readonly image: string;
  /** Guests that answer. */
  readonly replicas: number;
  /** Sockets of each guest. */
  readonly sockets: number;
  /** Memory of each guest. */
  readonly memory: Size;
  /** Whether the guests must be on different nodes. */
  readonly apart: boolean;
}

export const environments: { readonly [name: string]: Environment } = {
  dev: {
    host: 'dev.shop.example',
    image: 'registry.example/shop-vm:1.5.0-rc.2',
    replicas: 1,
    sockets: 1,
    memory: Size.gibibytes(1),
    apart: false,
  },
  staging: {
    host: 'staging.shop.example',
    image: 'registry.example/shop-vm:1.5.0-rc.1',
    replicas: 2,
    sockets: 2,
    memory: Size.gibibytes(4),
    apart: true,
  },
  production: {
    host: 'shop.example',
    image: 'registry.example/shop-vm:1.4.0',
    replicas: 3,
    sockets: 2,
    memory: Size.gibibytes(4),
    apart: true,
  },
};
