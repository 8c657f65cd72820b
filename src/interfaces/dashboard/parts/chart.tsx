/** Line chart (uPlot) in the colours of the page; the library is loaded for the first chart. */
import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";

export interface Series {
  readonly name: string;
  /** A colour variable of style.css: `--good`. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly label: string;
  /** Unix time in seconds. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** Stacked: each series on top of the previous one. */
  readonly isStacked?: boolean;
  readonly height?: number;
}

export function Chart({ label, times, series, isStacked = false, height = 180 }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const names = series.map(({ name }) => name).join();
  useEffect(() => {
    let isGone = false;
    void import("uplot").then(({ default: UPlot }) => {
      if (isGone || !box.current) return;
      const width = box.current.clientWidth;
      plot.current = new UPlot(optionsOf(box.current, series, isStacked, width, height), dataOf(times, series, isStacked), box.current);
    });
    const resized = new ResizeObserver(([entry]) => plot.current?.setSize({ width: entry!.contentRect.width, height }));
    if (box.current) resized.observe(box.current);
    return () => {
      isGone = true;
      resized.disconnect();
      plot.current?.destroy();
    };
  }, [names, isStacked, height]);
  useEffect(() => plot.current?.setData(dataOf(times, series, isStacked)), [times, series, isStacked]);
  const last = series.map(({ name, values }) => `${name} ${values.at(-1) ?? 0}`).join(", ");
  return (
    <figure class="chart">
      <figcaption>
        {label}
        {series.map(({ name, colour }) => (
          <span key={name} class="key">
            <i style={{ background: `var(${colour})` }} /> {name}
          </span>
        ))}
      </figcaption>
      <div ref={box} role="img" aria-label={`${label}; now ${last}`} />
    </figure>
  );
}

const timeText = (seconds: number) => new Date(seconds * 1000).toLocaleTimeString();

function dataOf(times: readonly number[], series: readonly Series[], isStacked: boolean): uPlot.AlignedData {
  const sums = times.map(() => 0);
  const rows = series.map(({ values }) =>
    isStacked
      ? values.map((value, at) => {
          if (value === null) return null;
          sums[at] = (sums[at] ?? 0) + value;
          return sums[at]!;
        })
      : [...values],
  );
  // Drawn from the top of the stack down, so that none hides another.
  return [[...times], ...(isStacked ? rows.reverse() : rows)] as uPlot.AlignedData;
}

function optionsOf(box: Element, series: readonly Series[], isStacked: boolean, width: number, height: number): uPlot.Options {
  const style = getComputedStyle(box);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: colour("--faint"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  const drawn = isStacked ? [...series].reverse() : series;
  return {
    width,
    height,
    // Space for the label of the last tick, which extends beyond the plot.
    padding: [8, 36, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.05)] } },
    axes: [
      {
        ...axis,
        size: 28,
        space: 80,
        incrs: [1, 2, 5, 10, 30, 60, 300, 600, 1800, 3600, 21_600, 86_400],
        values: (_, ticks) => ticks.map(timeText),
      },
      { ...axis, size: 48, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000, 500_000, 1_000_000] },
    ],
    series: [
      {},
      ...drawn.map(({ name, colour: of }) => ({
        label: name,
        stroke: colour(of),
        fill: `${colour(of)}${isStacked ? "" : "33"}`,
        width: 1.5,
        points: { show: false },
      })),
    ],
  };
}
