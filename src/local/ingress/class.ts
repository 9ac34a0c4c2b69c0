import { keys } from '../../api/keys';

/** Class that the engine creates, and the controller that the front end is. */
export const DEFAULT_CLASS = 'virt8s';
export const CONTROLLER = keys.ingressController;
