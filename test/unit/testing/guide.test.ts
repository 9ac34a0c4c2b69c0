import { runGuide } from '../../support/guide';

/** The guide's first test, as its reader would run it. */
runGuide(0);
