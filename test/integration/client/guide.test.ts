/** @needs guest @tier all */
import { runGuide } from '../../support/guide';
import { SuiteEngine } from '../../support/shared-engine';

/** The guide's second test: a chart applied to a real engine, and its guest asked. */
let engine: SuiteEngine;
const before = process.env.KUBECONFIG;
beforeAll(async () => {
  engine = await SuiteEngine.begin();
  process.env.KUBECONFIG = engine.kubeconfig;
});

describe('the guide', () => runGuide(1));

afterAll(async () => {
  if (before === undefined) delete process.env.KUBECONFIG;
  else process.env.KUBECONFIG = before;
  expect(await engine.end()).toEqual([]);
});
