/** How the cluster learns of virt-api; pure builders, shared with the installation. */
export {
  virtApiEndpoints,
  virtApiMutatingWebhooks,
  virtApiRegistration,
  virtApiService,
  virtApiServices,
  virtApiValidatingWebhooks,
} from '../../api/platform';
export type { VirtApiRegistration } from '../../api/platform';
