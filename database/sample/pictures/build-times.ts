import { canvas, colour, downward, figures, many, sideways } from './canvas.ts'

const width = 1200
const height = 680
const left = 90
const scale = 22.5

// Seconds of five builds, before and after.
const builds: [before: number, after: number][] = [
  [41.8, 12.6],
  [36.2, 11.9],
  [28.5, 4.3],
  [19.4, 3.8],
  [8.7, 2.1],
]

/** Bars in pairs: what each build took before, and what it takes now. */
export function buildTimes(): string {
  const defs = [
    downward('sheet', [0, '#ffffff'], [1, '#f6f3ec']),
    sideways('before', [0, '#d9d3c5'], [1, '#bcb3a0']),
    sideways('after', [0, '#2f6f4f'], [1, '#5fa67f']),
  ].join('')
  return canvas(
    { width, height, defs, grain: 0.02 },
    `<rect width="${width}" height="${height}" fill="url(#sheet)"/>`,
    many(5, rule),
    builds.map(([before, after], index) => pair(90 + index * 104, before, after)).join(''),
    `<path d="M${left} 66V${height - 74}" stroke="${colour.ink}" stroke-width="3" stroke-linecap="round"/>`,
  )
}

function rule(index: number): string {
  const x = left + index * 10 * scale
  return `<path d="M${x} 66V${height - 74}" stroke="${colour.line}" stroke-width="2"/>${figures(`${index * 10}s`, { x, y: height - 54, size: 19, tint: colour.inkSoft, align: 'middle' })}`
}

function pair(y: number, before: number, after: number): string {
  return `${bar(y, 34, before, 'before', '#7d7465')}${bar(y + 40, 34, after, 'after', colour.tea)}`
}

function bar(y: number, thick: number, seconds: number, fill: string, tint: string): string {
  const long = seconds * scale
  return `<path d="M${left} ${y}h${long - 7}q7 0 7 7v${thick - 14}q0 7 -7 7h${7 - long}z" fill="url(#${fill})"/>
${figures(`${seconds}s`, { x: left + long + 14, y: y + 8, size: 19, tint, weight: 0.78 })}`
}
