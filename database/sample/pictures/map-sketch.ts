import { blur, canvas, chance, colour, figures, many, n, outward } from './canvas.ts'

const width = 1200
const height = 900
const walk = 'M200 750C236 700 290 640 330 570S450 500 470 430S600 330 700 350S850 300 905 215'
type Point = [x: number, y: number]
const stops: Point[] = [
  [200, 750],
  [330, 570],
  [470, 430],
  [700, 350],
  [905, 215],
]

/** A hand-drawn map of an old town: lanes, a canal, a park, and a walk of five stops. */
export function mapSketch(): string {
  const defs = [outward('aged', [0, '#fbf6e8'], [0.75, '#f3e9d0'], [1, '#dccba4']), blur('wash', 5)].join('')
  return canvas(
    { width, height, defs },
    `<rect width="${width}" height="${height}" fill="#dccba4"/><rect x="-200" y="-200" width="1600" height="1300" fill="url(#aged)"/>`,
    park() + canal() + lanes() + blocks() + trees(),
    bridge(270, 653, 36) + bridge(424, 640, -56) + bridge(727, 556, -7) + bridge(1006, 548, -8),
    `<path d="${walk}" fill="none" stroke="#fff" stroke-width="13" stroke-opacity=".7" stroke-linecap="round"/><path d="${walk}" fill="none" stroke="${colour.lantern}" stroke-width="6" stroke-dasharray="4 14" stroke-linecap="round"/>`,
    stops.map(([x, y], index) => pin(x, y, index + 1)).join(''),
    compass(),
    `<rect x="24" y="24" width="1152" height="852" fill="none" stroke="#7a6440" stroke-width="3" rx="4"/><rect x="34" y="34" width="1132" height="832" fill="none" stroke="#7a6440" stroke-width="1" rx="2"/>`,
  )
}

function park(): string {
  return `<path d="M560 90C700 50 900 60 1010 130S1080 330 960 380S700 300 620 260S480 130 560 90" fill="#a9c9a4" opacity=".8"/><ellipse cx="800" cy="170" rx="80" ry="38" fill="#9fc3cf"/>`
}

function canal(): string {
  const water = 'M-20 520C180 560 300 760 500 650S760 480 900 520S1120 690 1230 650'
  return `<path d="${water}" fill="none" stroke="#6f9fb0" stroke-width="62"/><path d="${water}" fill="none" stroke="#a5cad5" stroke-width="54"/><path d="${water}" fill="none" stroke="#e8f3f5" stroke-width="2" stroke-dasharray="30 24" opacity=".9"/>`
}

function lanes(): string {
  const random = chance(31)
  const ways: Point[][] = [
    [
      [60, 180],
      [520, 470],
      [1150, 740],
    ],
    [
      [120, 860],
      [330, 570],
      [470, 430],
      [560, 90],
    ],
    [
      [40, 400],
      [470, 430],
      [700, 350],
      [1160, 420],
    ],
    [
      [330, 570],
      [760, 860],
    ],
    [
      [700, 350],
      [760, 860],
    ],
    [
      [905, 215],
      [1010, 560],
      [980, 860],
    ],
    [
      [250, 60],
      [330, 570],
    ],
  ]
  const paths = ways.map((way) => byHand(random, way))
  const draw = (tint: string, wide: number) =>
    paths.map((path) => `<path d="${path}" fill="none" stroke="${tint}" stroke-width="${wide}" stroke-linejoin="round"/>`).join('')
  return draw('#b39a6b', 19) + draw('#fffaf0', 14)
}

// A line between two places as a hand draws it: it arrives, but it strays a little on the way.
function byHand(random: () => number, way: Point[]): string {
  const stray = () => random() * 9 - 4.5
  return way
    .map(([x, y], index) => {
      const from = way[index - 1]
      if (!from) return `M${x} ${y}`
      const on = (part: number) => `${n(from[0] + (x - from[0]) * part + stray())} ${n(from[1] + (y - from[1]) * part + stray())}`
      return `Q${on(0.15)} ${on(0.3)}T${on(0.5)}T${on(0.75)}T${x} ${y}`
    })
    .join('')
}

// Houses stand only on free ground, which is what this list of patches says.
function blocks(): string {
  const random = chance(14)
  const patches: [x: number, y: number, columns: number, rows: number, turn: number][] = [
    [90, 270, 3, 2, 14],
    [110, 80, 2, 2, -4],
    [330, 90, 3, 2, 5],
    [345, 250, 2, 1, 12],
    [560, 440, 3, 1, -8],
    [520, 760, 3, 1, 8],
    [840, 620, 2, 2, 16],
    [1050, 470, 1, 2, 4],
    [860, 410, 2, 1, -6],
    [150, 790, 1, 1, -20],
    [560, 545, 1, 1, -10],
    [1060, 770, 1, 1, 6],
    [820, 780, 2, 1, 4],
  ]
  return patches
    .map(
      ([x, y, columns, rows, turn]) =>
        `<g transform="rotate(${turn} ${x} ${y})">${many(columns * rows, (index) => house(random, x + (index % columns) * 56, y + Math.floor(index / columns) * 54))}</g>`,
    )
    .join('')
}

function house(random: () => number, x: number, y: number): string {
  const [wide, deep] = [34 + random() * 16, 28 + random() * 16]
  const roofs = ['#d9b48a', '#cf9b78', '#e2c79d', '#b9a58a']
  return `<g transform="rotate(${n(random() * 8 - 4)} ${n(x)} ${n(y)})"><rect x="${n(x + 3)}" y="${n(y + 4)}" width="${n(wide)}" height="${n(deep)}" fill="#7a6440" opacity=".3"/><rect x="${n(x)}" y="${n(y)}" width="${n(wide)}" height="${n(deep)}" fill="${roofs[Math.floor(random() * 4)] ?? ''}" stroke="#7a5b3a" stroke-width="1.8"/><path d="M${n(x)} ${n(y + deep / 2)}h${n(wide)}" stroke="#7a5b3a" stroke-width="1.4"/></g>`
}

function trees(): string {
  const random = chance(21)
  return many(34, (index) => {
    const [x, y] = index < 24 ? [600 + random() * 380, 100 + random() * 170] : [60 + random() * 1080, 800 + random() * 50]
    const size = 10 + random() * 9
    return `<circle cx="${n(x + 2)}" cy="${n(y + 4)}" r="${n(size)}" fill="#35553f" opacity=".3"/><circle cx="${n(x)}" cy="${n(y)}" r="${n(size)}" fill="${random() > 0.5 ? '#6da07c' : '#578c69'}" stroke="#2f6f4f" stroke-width="1.5"/>`
  })
}

function bridge(x: number, y: number, turn: number): string {
  return `<g transform="translate(${x} ${y}) rotate(${turn})"><rect x="-16" y="-42" width="32" height="84" fill="#e9dcc0" stroke="#7a5b3a" stroke-width="3"/><path d="M-16 -24h32M-16 -8h32M-16 8h32M-16 24h32" stroke="#7a5b3a" stroke-width="1.5"/></g>`
}

function pin(x: number, y: number, number: number): string {
  return `<ellipse cx="${x}" cy="${y + 3}" rx="15" ry="6" fill="#3a2c18" opacity=".4" filter="url(#wash)"/><path d="M${x} ${y}c-34 -38 -32 -72 0 -74c32 2 34 36 0 74" fill="${number === 5 ? colour.lantern : colour.tea}" stroke="#fff" stroke-width="3"/><circle cx="${x}" cy="${y - 44}" r="18" fill="#fff"/>${figures(String(number), { x, y: y - 54, size: 20, tint: colour.ink, weight: 0.8, align: 'middle' })}`
}

function compass(): string {
  return `<g transform="translate(1085 130)" stroke="#7a6440" stroke-width="2"><circle r="46" fill="#fbf6e8" opacity=".9"/><circle r="38" fill="none" stroke-dasharray="2 6"/><path d="M0 -56L10 0H-10Z" fill="${colour.lantern}"/><path d="M0 56L10 0H-10Z" fill="#fbf6e8"/></g>`
}
