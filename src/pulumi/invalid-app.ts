import type { IConstruct } from 'constructs';
import type { Chart } from 'cdk8s';
import { ValidationError } from '../api/findings';
import { type Report, reportsOf } from '../constructs/reports';

/** Error for an app whose constructs report mistakes. */
export class InvalidApp extends ValidationError {
  public constructor(
    message: string,
    public readonly reports: readonly Report[],
  ) {
    super(
      reports.flatMap(({ finding }) => finding ?? []),
      message,
    );
  }
}

/**
 * Validates the app of a chart, as cdk8s does before it writes manifests.
 *
 * @throws InvalidApp with every mistake that its constructs report
 */
export function validateApp(chart: Chart): void {
  try {
    chart.toJson();
  } catch (error) {
    const { root } = chart.node;
    const constructs: IConstruct[] = root.node.findAll();
    const reports = error instanceof Error ? reportsOf(constructs) : [];
    throw reports.length > 0 ? new InvalidApp((error as Error).message, reports) : error;
  }
}
