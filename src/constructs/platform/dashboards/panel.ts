/** Unit of Grafana. */
export type Unit = 'short' | 'percentunit' | 'bytes' | 'Bps' | 's' | 'reqps' | 'iops' | 'ops';

/** Query with the text of its lines. */
export interface Query {
  readonly expr: string;
  readonly legend: string;
}

export interface Panel {
  readonly title: string;
  readonly description: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** Number instead of a graph. */
  readonly isStat?: boolean;
}

/** Row of panels. */
export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const WIDTH = 24;
const HEIGHT = 8;
const STAT_HEIGHT = 4;
const SOURCE = { type: 'prometheus', uid: '${datasource}' };

/** Places the panels of rows beside each other, and rows below each other. Pure. */
export function placed(rows: readonly Row[]): object[] {
  const made: object[] = [];
  let y = 0;
  for (const { title, panels } of rows) {
    made.push({ type: 'row', title, collapsed: false, panels: [], gridPos: { x: 0, y, w: WIDTH, h: 1 } });
    y += 1;
    const isStats = panels.every(({ isStat }) => isStat);
    const perLine = isStats ? panels.length : 3;
    const [w, h] = [Math.floor(WIDTH / perLine), isStats ? STAT_HEIGHT : HEIGHT];
    panels.forEach((panel, i) => {
      const gridPos = { x: (i % perLine) * w, y: y + Math.floor(i / perLine) * h, w, h };
      made.push(rendered(panel, gridPos));
    });
    y += Math.ceil(panels.length / perLine) * h;
  }
  return made.map((panel, i) => ({ id: i + 1, ...panel }));
}

function rendered({ title, description, unit, queries, isStat }: Panel, gridPos: object): object {
  return {
    type: isStat ? 'stat' : 'timeseries',
    title,
    description,
    datasource: SOURCE,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: isStat ? { reduceOptions: { calcs: ['lastNotNull'] } } : { legend: { displayMode: 'list' } },
    targets: queries.map(({ expr, legend }, i) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + i),
      datasource: SOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}
