import { blur, canvas, chance, colour, downward, many, n, outward } from './canvas.ts'

const width = 1200
const height = 800

/** Tea terraces at dusk under hills that fade into the haze. */
export function teaField(): string {
  const defs = [
    downward('sky', [0, '#33506b'], [0.3, '#8a8fa0'], [0.52, '#e0a98c'], [0.66, '#f6d3a0'], [1, '#f9e3bd']),
    outward('sun', [0, '#fff3d2'], [0.18, '#ffe2a6', 0.95], [0.5, '#fbc98a', 0.35], [1, '#fbc98a', 0]),
    downward('mist', [0, '#f9e0bd', 0], [1, '#f9e0bd', 0.55]),
    downward('dim', [0, '#0d2118', 0], [1, '#0d2118', 0.6]),
    blur('soft', 14),
  ].join('')
  return canvas(
    { width, height, defs },
    `<rect width="${width}" height="${height}" fill="url(#sky)"/>`,
    `<circle cx="800" cy="400" r="330" fill="url(#sun)"/><circle cx="800" cy="400" r="38" fill="#fff6df"/>`,
    clouds(),
    hill(11, 430, 60, '#a9949a'),
    hill(23, 465, 70, '#837f8a'),
    `<rect y="380" width="${width}" height="150" fill="url(#mist)"/>`,
    hill(37, 505, 58, '#5d7472'),
    hill(41, 540, 44, '#3f6657'),
    `<rect y="470" width="${width}" height="120" fill="url(#mist)" opacity=".7"/>`,
    terraces(),
    `<rect y="520" width="${width}" height="280" fill="url(#dim)"/>`,
    geese(),
  )
}

function clouds(): string {
  const random = chance(5)
  const streaks = many(9, () => {
    const across = 180 + random() * 260
    return `<ellipse cx="${n(random() * width)}" cy="${n(120 + random() * 210)}" rx="${n(across)}" ry="${n(5 + random() * 9)}" fill="#ffdcb4" opacity="${n(0.15 + random() * 0.3)}"/>`
  })
  return `<g filter="url(#soft)">${streaks}</g>`
}

function hill(seed: number, base: number, rise: number, tint: string): string {
  const random = chance(seed)
  const [a, b, c] = [random() * 6, random() * 6, random() * 6]
  const edge = many(61, (step) => {
    const x = step * 20
    const y = base - rise * (0.6 * Math.sin(x / 190 + a) + 0.3 * Math.sin(x / 83 + b) + 0.12 * Math.sin(x / 31 + c))
    return `L${x} ${n(y)}`
  })
  return `<path d="M0 ${height}${edge}L${width} ${height}Z" fill="${tint}"/>`
}

function terraces(): string {
  return many(13, (row) => hedge(100 + row, row / 12))
}

// A clipped row of bushes: lit from behind along its uneven top, falling into shade before the next row begins.
function hedge(seed: number, near: number): string {
  const random = chance(seed)
  const base = 548 + 285 * near ** 1.35
  const thick = 13 + 44 * near
  const curve = (x: number) => base + (10 + 74 * near) * Math.sin(x / 520 + 0.4) - (1 - near) * 34 * Math.exp(-(((x - 330) / 300) ** 2))
  const edge: string[] = []
  let x = -20
  while (x < width + 20) {
    const wide = thick * (0.32 + random() * 0.5)
    const rise = thick * (0.1 + random() * 0.22)
    edge.push(`Q${n(x + wide / 2)} ${n(curve(x + wide / 2) - rise)} ${n(x + wide)} ${n(curve(x + wide))}`)
    x += wide
  }
  const top = `M-20 ${n(curve(-20))}${edge.join('')}`
  const body = `${top}V${height}H-20Z`
  const lit = ['#7fa667', '#6b9a62', '#578b5c', '#457b53', '#376b49'][Math.min(4, Math.floor(near * 5))] ?? colour.tea
  const shade = (down: number, opacity: number) =>
    `<path d="${body}" transform="translate(0 ${n(thick * down)})" fill="#143524" opacity="${opacity}"/>`
  return `<path d="${body}" fill="${lit}"/><path d="${top}" fill="none" stroke="#f0dd93" stroke-opacity="${n(0.7 - near * 0.3)}" stroke-width="${n(1 + near * 1.6)}"/>${shade(0.28, 0.22)}${shade(0.52, 0.34)}${shade(0.8, 0.45)}`
}

function geese(): string {
  return many(7, (index) => {
    const side = index % 2 ? 1 : -1
    const x = 330 + side * Math.ceil(index / 2) * 24
    const y = 190 + Math.ceil(index / 2) * 13
    return `<path d="M${x - 9} ${y - 4}q5 -3 9 3q4 -6 9 -3" fill="none" stroke="#2b3a48" stroke-width="2" stroke-linecap="round"/>`
  })
}
