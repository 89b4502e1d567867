import { blur, canvas, chance, downward, many, n, outward } from './canvas.ts'

const width = 1200
const height = 800
const shore = 560

/** A river city at night: lit windows, a moon, and all of it again in the water. */
export function nightCity(): string {
  const defs = [
    downward('sky', [0, '#0b1526'], [0.45, '#1c2f4a'], [0.62, '#4a4763'], [0.7, '#8a5a5c']),
    outward('moon', [0, '#fdf3d4', 0.75], [0.25, '#f7dfa8', 0.25], [1, '#f7dfa8', 0]),
    downward('water', [0, '#2b3249'], [0.35, '#141f33'], [1, '#0a111f']),
    outward('halo', [0, '#ffb45e', 0.8], [1, '#ffb45e', 0]),
    `<filter id="ripple" filterUnits="userSpaceOnUse" x="0" y="${shore}" width="${width}" height="${height - shore}"><feTurbulence type="fractalNoise" baseFrequency=".006 .09" numOctaves="2" seed="4"/><feDisplacementMap in="SourceGraphic" scale="26" xChannelSelector="R" yChannelSelector="G"/><feGaussianBlur stdDeviation="2.2 3.5"/></filter>`,
    blur('glow', 9),
  ].join('')
  const city = row(31, '#2b3450', 150, 250, 0.25) + row(57, '#1b2439', 90, 330, 0.5) + row(83, '#101828', 50, 200, 0.62) + bridge()
  return canvas(
    { width, height, defs },
    `<rect width="${width}" height="${height}" fill="url(#sky)"/>`,
    stars(),
    `<circle cx="870" cy="150" r="210" fill="url(#moon)"/><circle cx="870" cy="150" r="40" fill="#fbf1d2"/><circle cx="858" cy="142" r="8" fill="#e6d5a8" opacity=".6"/><circle cx="880" cy="162" r="11" fill="#e6d5a8" opacity=".5"/>`,
    city,
    `<rect y="${shore}" width="${width}" height="${height - shore}" fill="url(#water)"/>`,
    `<g filter="url(#ripple)" opacity=".58"><g transform="translate(0 ${shore * 2}) scale(1 -1)">${city}</g></g>`,
    moonlight(),
    many(60, ripple(chance(12))),
    quay(),
  )
}

function stars(): string {
  const random = chance(2)
  return many(
    120,
    () =>
      `<circle cx="${n(random() * width)}" cy="${n(random() * 300)}" r="${n(0.4 + random())}" fill="#fff" opacity="${n(0.2 + random() * 0.6)}"/>`,
  )
}

function row(seed: number, tint: string, least: number, most: number, lit: number): string {
  const random = chance(seed)
  const towers: string[] = []
  let x = -20
  while (x < width) {
    const wide = 44 + random() * 70
    const centre = 1 - Math.abs(x + wide / 2 - 640) / 900
    const tall = (least + random() * (most - least)) * centre
    towers.push(tower(random, x, wide, tall, tint, lit))
    x += wide + random() * 16 - 4
  }
  return towers.join('')
}

function tower(random: () => number, x: number, wide: number, tall: number, tint: string, lit: number): string {
  const y = shore - tall
  const mast = random() > 0.72 ? `<path d="M${n(x + wide / 2)} ${n(y)}v-${n(20 + random() * 40)}" stroke="${tint}" stroke-width="3"/>` : ''
  return `${mast}<rect x="${n(x)}" y="${n(y)}" width="${n(wide)}" height="${n(tall)}" fill="${tint}"/>${windows(random, x, wide, y, lit)}`
}

// Windows that shine alike are one path: thousands of single rectangles would take a second to draw.
function windows(random: () => number, x: number, wide: number, y: number, lit: number): string {
  const tints = ['#ffd98f', '#ffc46b', '#fff0c9', '#9cc4d8']
  const alike = new Map<string, string>()
  for (let wy = y + 12; wy < shore - 10; wy += 13) {
    for (let wx = x + 8; wx < x + wide - 9; wx += 11) {
      if (random() > lit) continue
      const look = `fill="${tints[Math.floor(random() * 4)] ?? ''}" opacity="${n(0.3 + Math.floor(random() * 3) * 0.3)}"`
      alike.set(look, `${alike.get(look) ?? ''}M${n(wx)} ${n(wy)}h5v7h-5z`)
    }
  }
  return [...alike].map(([look, path]) => `<path d="${path}" ${look}/>`).join('')
}

function bridge(): string {
  const lamps = many(25, (index) => {
    const x = index * 50
    return `<circle cx="${x}" cy="536" r="15" fill="url(#halo)"/><circle cx="${x}" cy="536" r="3" fill="#ffe3b0"/>`
  })
  return `<rect y="546" width="${width}" height="16" fill="#0b1220"/>${lamps}`
}

function moonlight(): string {
  const random = chance(44)
  return many(34, (index) => {
    const wide = 14 + random() * (30 + index)
    return `<path d="M${n(870 - wide / 2 + random() * 30 - 15)} ${n(shore + 14 + index * 6.4)}h${n(wide)}" stroke="#fbf1d2" stroke-opacity="${n(0.2 + random() * 0.5)}" stroke-width="${n(1.2 + random() * 2)}" stroke-linecap="round"/>`
  })
}

function ripple(random: () => number): () => string {
  return () => {
    const y = shore + 10 + random() ** 1.4 * 200
    return `<path d="M${n(random() * width)} ${n(y)}h${n(20 + random() * 90)}" stroke="#ffd9a0" stroke-opacity="${n(random() * 0.3)}" stroke-width="${n(0.8 + random())}"/>`
  }
}

function quay(): string {
  const posts = many(13, (index) => `<path d="M${index * 100 + 20} 742v58" stroke="#05080f" stroke-width="9"/>`)
  return `<path d="M0 745H${width}M0 768H${width}" stroke="#05080f" stroke-width="6"/>${posts}<rect y="786" width="${width}" height="14" fill="#05080f"/>`
}
