import type { DomainState } from '../../protocol';
import { boundState } from '../../protocol/bounds';

/** Encodes a domain's state for the handler: JSON that fits into a message, whatever the guest reports. */
export const reportOf = (state: DomainState): string => JSON.stringify(boundState(state));
