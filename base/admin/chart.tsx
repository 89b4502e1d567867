import { useId, useState } from 'react'
import { useWords } from '#base/web/words.tsx'
import css from '#base/admin/chart.module.css'

export type Point = { label: string; value: number }

const [width, height] = [600, 140]
const foot = 18

/** A line chart with its scale. The mouse or the arrow keys select a point, screen readers announce it, and a table holds all values. */
export function Chart({ title, points, sum }: { title: string; points: readonly Point[]; sum: string }) {
  const id = useId()
  const [at, setAt] = useState<number | null>(null)
  const most = Math.max(1, ...points.map(({ value }) => value))
  const x = (place: number) => (points.length < 2 ? width / 2 : (place / (points.length - 1)) * width)
  const y = (value: number) => height - foot - (value / most) * (height - foot - 8)
  const line = points.map(({ value }, place) => `${place === 0 ? 'M' : 'L'}${x(place).toFixed(1)} ${y(value).toFixed(1)}`).join('')
  const chosen = at === null ? undefined : points[at]

  function pick(clientX: number, box: DOMRect): void {
    setAt(Math.max(0, Math.min(points.length - 1, Math.round(((clientX - box.left) / box.width) * (points.length - 1)))))
  }

  return (
    <figure className={css.chart}>
      <figcaption id={id}>
        <strong>{title}</strong> <span>{chosen ? `${chosen.label}: ${chosen.value}` : sum}</span>
      </figcaption>
      <div className={css.plot}>
        <Scale most={most} />
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          onPointerMove={(event) => pick(event.clientX, event.currentTarget.getBoundingClientRect())}
          onPointerLeave={() => setAt(null)}
        >
          <path className={css.ground} d={`M0 ${y(most)}H${width}M0 ${y(most / 2)}H${width}M0 ${y(0)}H${width}`} />
          <path className={css.area} d={`${line}L${width} ${height - foot}L0 ${height - foot}Z`} />
          <path className={css.line} d={line} />
          {at !== null && <path className={css.mark} d={`M${x(at)} 0V${height - foot}`} />}
        </svg>
      </div>
      <input
        type="range"
        className={css.reader}
        aria-labelledby={id}
        min={0}
        max={points.length - 1}
        value={at ?? points.length - 1}
        aria-valuetext={chosen ? `${chosen.label}: ${chosen.value}` : `${points.at(-1)?.label}: ${points.at(-1)?.value}`}
        onChange={({ target }) => setAt(Number(target.value))}
        onBlur={() => setAt(null)}
      />
      <Ends points={points} />
      <Numbers points={points} />
    </figure>
  )
}

function Scale({ most }: { most: number }) {
  const words = useWords('admin')
  return (
    <ol className={css.scale} aria-hidden="true">
      <li>{words('number', { count: most })}</li>
      <li>{most > 1 && words('number', { count: Math.round(most / 2) })}</li>
      <li>0</li>
    </ol>
  )
}

function Numbers({ points }: { points: readonly Point[] }) {
  const words = useWords('admin')
  return (
    <details className={css.table}>
      <summary>{words('asTable')}</summary>
      <div>
        <table>
          <tbody>
            {points.toReversed().map(({ label, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{words('number', { count: value })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function Ends({ points }: { points: readonly Point[] }) {
  return (
    <p aria-hidden="true">
      <span>{points[0]?.label}</span>
      <span>{points.at(-1)?.label}</span>
    </p>
  )
}
