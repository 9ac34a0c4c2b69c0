import type { Facts } from './facts';
import { nameOf } from './words';

/** An entry through which the API server calls virt-api. */
export interface Registration {
  /** Name of the object: `virt-api-validator`. */
  readonly object: string;
  /** Base64 of PEM. */
  readonly caBundle?: string;
}

/** Every webhook and APIService of virt-api. Pure. */
export function registrations({
  mutatingWebhooks = [],
  validatingWebhooks = [],
  apiServices = [],
}: Facts): Registration[] {
  const hooks = [...mutatingWebhooks, ...validatingWebhooks].flatMap((configuration) =>
    (configuration.webhooks ?? []).map(({ clientConfig }) => ({
      object: nameOf(configuration),
      service: clientConfig?.service,
      caBundle: clientConfig?.caBundle || undefined,
    })),
  );
  const services = apiServices.map((each) => ({
    object: nameOf(each),
    service: each.spec.service,
    caBundle: each.spec.caBundle || undefined,
  }));
  return [...hooks, ...services].filter(({ service }) => service?.name === 'virt-api');
}
