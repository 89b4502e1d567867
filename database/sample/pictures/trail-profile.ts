import { canvas, colour, downward, figures, many, n } from './canvas.ts'

const width = 1200
const height = 600
const ground = { left: 110, right: 1150, top: 90, bottom: 500 }
const longest = 22
const lowest = 400
const highest = 2200

// Kilometres along the trail, metres above the sea.
const heights: [km: number, metres: number][] = [
  [0, 520],
  [1, 560],
  [2, 690],
  [3, 860],
  [4, 1010],
  [5, 1180],
  [5.6, 1340],
  [6.4, 1310],
  [7.2, 1450],
  [8, 1640],
  [9, 1760],
  [9.6, 1905],
  [10.4, 1860],
  [11, 1985],
  [11.7, 2068],
  [12.3, 1960],
  [13, 1790],
  [14, 1720],
  [15, 1540],
  [16, 1320],
  [17, 1260],
  [18, 1050],
  [19, 870],
  [20, 700],
  [21, 610],
  [22, 580],
]

/** How high a day's walk goes: 22 km over a top of 2068 m. */
export function trailProfile(): string {
  const defs = [
    downward('sky', [0, '#f3f6f4'], [1, colour.paper]),
    downward('slope', [0, '#2f6f4f', 0.92], [0.55, '#5d9a79', 0.75], [1, '#c8dccf', 0.35]),
  ].join('')
  return canvas(
    { width, height, defs, grain: 0.025 },
    `<rect width="${width}" height="${height}" fill="url(#sky)"/>`,
    distantRidge(),
    grid(),
    `<path d="${ridge()}L${ground.right} ${ground.bottom}H${ground.left}Z" fill="url(#slope)"/>`,
    `<path d="${ridge()}" fill="none" stroke="${colour.teaDark}" stroke-width="4" stroke-linejoin="round"/>`,
    stop(5.6, 1340, colour.gold, '1340'),
    stop(11.7, 2068, colour.lantern, '2068'),
    stop(17, 1260, colour.gold, '1260'),
    `<circle cx="${along(0)}" cy="${up(520)}" r="9" fill="#fff" stroke="${colour.teaDark}" stroke-width="4"/><circle cx="${along(22)}" cy="${up(580)}" r="9" fill="${colour.teaDark}"/>`,
  )
}

function along(km: number): number {
  return ground.left + ((ground.right - ground.left) * km) / longest
}

function up(metres: number): number {
  return ground.bottom - ((ground.bottom - ground.top) * (metres - lowest)) / (highest - lowest)
}

// Each point is reached by a curve that leaves level, so the line rolls instead of breaking.
function ridge(): string {
  return heights
    .map(([km, metres], index) => {
      const before = heights[index - 1]
      if (!before) return `M${n(along(km))} ${n(up(metres))}`
      const middle = (along(before[0]) + along(km)) / 2
      const bend = (up(metres) - up(before[1])) * 0.3
      return `C${n(middle)} ${n(up(before[1]) + bend)} ${n(middle)} ${n(up(metres) - bend)} ${n(along(km))} ${n(up(metres))}`
    })
    .join('')
}

function distantRidge(): string {
  return `<path d="M0 420L150 330L260 380L420 240L520 310L690 170L800 260L930 210L1060 320L1200 260V600H0Z" fill="#dfe9e3" opacity=".8"/>
<path d="M0 470L190 400L330 430L500 330L640 390L820 300L960 380L1100 350L1200 390V600H0Z" fill="#d0dfd6" opacity=".7"/>`
}

function grid(): string {
  const levels = many(5, (index) => {
    const metres = 400 + index * 400
    const y = n(up(metres))
    return `<path d="M${ground.left} ${y}H${ground.right}" stroke="#8fa398" stroke-opacity=".45" stroke-dasharray="${index ? '3 7' : '0'}"/>${figures(`${metres} m`, { x: 96, y: up(metres) - 8, size: 17, tint: colour.inkSoft, align: 'end' })}`
  })
  const distances = many(12, (index) =>
    figures(String(index * 2), { x: along(index * 2), y: 518, size: 17, tint: colour.inkSoft, align: 'middle' }),
  )
  return levels + distances + figures('km', { x: 1150, y: 552, size: 16, tint: colour.inkSoft, align: 'end' })
}

function stop(km: number, metres: number, tint: string, label: string): string {
  const [x, y] = [along(km), up(metres)]
  return `<path d="M${n(x)} ${n(y)}V${ground.bottom}" stroke="#fff" stroke-opacity=".55" stroke-width="1.5" stroke-dasharray="2 6"/>
<path d="M${n(x)} ${n(y - 12)}c-17 -20 -15 -36 0 -37c15 1 17 17 0 37" fill="${tint}"/><circle cx="${n(x)}" cy="${n(y - 33)}" r="5.5" fill="#fff"/>
${figures(label, { x, y: y - 84, size: 22, tint, weight: 0.8, align: 'middle' })}`
}
