import type { DomainState } from '../../protocol';
import { boundState } from '../../protocol/bounds';

/** A domain's state as it is sent to the handler: JSON that fits into a message, whatever the guest says. */
export const reportOf = (state: DomainState): string => JSON.stringify(boundState(state));
