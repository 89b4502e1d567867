import { canvas, chance, colour, downward, many, n, outward, sideways } from './canvas.ts'

const width = 1200
const height = 800
const shelves = [262, 512, 762]
const cloths = [
  '#2f6f4f',
  '#1d4633',
  '#7b2d26',
  '#a9741b',
  '#d8c9a6',
  '#3b4d63',
  '#8a9a86',
  '#c23b2e',
  '#e9e2d0',
  '#4a3b36',
  '#6d7f92',
  '#b98b5e',
]

/** Three shelves of well-used books, a plant and a small lamp. */
export function bookshelf(): string {
  const defs = [
    downward('back', [0, '#5a3f2a'], [1, '#3a2718']),
    downward('board', [0, '#b0844f'], [0.25, '#936a3c'], [1, '#5e4122']),
    sideways('round', [0, '#000', 0.38], [0.18, '#fff', 0.2], [0.4, '#fff', 0.04], [1, '#000', 0.34]),
    outward('lamp', [0, '#ffe2a8', 0.95], [0.35, '#ffcf85', 0.35], [1, '#ffcf85', 0]),
    downward('shade', [0, '#000', 0.55], [1, '#000', 0]),
  ].join('')
  return canvas(
    { width, height, defs },
    `<rect width="${width}" height="${height}" fill="url(#back)"/>`,
    shelf(0, 11, 30, 820),
    plant(),
    shelf(1, 22, 30, 700),
    stack(),
    lamp(),
    shelf(2, 33, 250, 1170),
    cat(),
    shelves
      .map(
        (y) =>
          `<rect y="${y}" width="${width}" height="26" fill="url(#board)"/><rect y="${y + 26}" width="${width}" height="46" fill="url(#shade)"/>`,
      )
      .join(''),
    `<rect width="24" height="${height}" fill="#6d4b2a"/><rect x="${width - 24}" width="24" height="${height}" fill="#6d4b2a"/>`,
    `<circle cx="1010" cy="392" r="420" fill="url(#lamp)" opacity=".55"/>`,
  )
}

function shelf(level: number, seed: number, from: number, to: number): string {
  const random = chance(seed)
  const foot = shelves[level] ?? 0
  const books: string[] = []
  let x = from
  while (x < to - 20) {
    const thick = 22 + random() * 34
    const tall = 130 + random() * 82
    const leans = random() > 0.93
    books.push(book(random, x + (leans ? 12 : 0), foot, thick, tall, leans ? -6 : 0))
    x += thick + (leans ? 26 : 1.5)
  }
  return books.join('')
}

function book(random: () => number, x: number, foot: number, thick: number, tall: number, lean: number): string {
  const cloth = cloths[Math.floor(random() * cloths.length)] ?? colour.tea
  const pale = ['#d8c9a6', '#e9e2d0', '#8a9a86'].includes(cloth)
  const ink = pale ? '#5a4630' : colour.goldLight
  const y = foot - tall
  const style = random()
  const bands =
    style < 0.4
      ? [0.12, 0.2, 0.82, 0.88]
          .map((at) => `<rect x="${n(x)}" y="${n(y + tall * at)}" width="${n(thick)}" height="3" fill="${ink}" opacity=".8"/>`)
          .join('')
      : `<rect x="${n(x + 4)}" y="${n(y + tall * 0.14)}" width="${n(thick - 8)}" height="${n(tall * 0.34)}" rx="2" fill="${pale ? colour.tea : '#f2ead6'}" opacity=".88"/>`
  const strokes = many(3, (index) => {
    const across = x + thick / 2 + (index - 1) * Math.min(7, thick / 5)
    return `<path d="M${n(across)} ${n(y + tall * (style < 0.4 ? 0.3 : 0.2))}v${n(tall * (0.12 + random() * 0.1))}" stroke="${style < 0.4 ? ink : pale ? '#f2ead6' : '#4a3b36'}" stroke-width="2" opacity=".75" stroke-dasharray="5 2 3 3"/>`
  })
  return `<g transform="rotate(${lean} ${n(x)} ${foot})"><rect x="${n(x)}" y="${n(y)}" width="${n(thick)}" height="${n(tall)}" rx="3" fill="${cloth}"/>${bands}${strokes}<rect x="${n(x)}" y="${n(y)}" width="${n(thick)}" height="${n(tall)}" rx="3" fill="url(#round)"/></g>`
}

function plant(): string {
  const random = chance(6)
  const leaves = many(26, () => {
    const turn = random() * 190 - 95
    const long = 60 + random() * 100
    return `<path d="M0 0Q${n(long * 0.24)} ${n(-long * 0.5)} 0 ${n(-long)}Q${n(-long * 0.24)} ${n(-long * 0.5)} 0 0" transform="translate(985 178) rotate(${n(turn)})" fill="${random() > 0.5 ? '#4d9270' : '#2f6f4f'}"/>`
  })
  return `${leaves}<path d="M930 172h110l-14 90h-82z" fill="#e4dac6"/><path d="M930 172h110l-3 18h-104z" fill="#f4eddd"/><path d="M944 210q40 14 84 0" stroke="${colour.tea}" stroke-width="4" fill="none"/>`
}

function stack(): string {
  const piles: [x: number, wide: number, cloth: string][] = [
    [735, 190, '#3b4d63'],
    [745, 172, '#a9741b'],
    [738, 182, '#7b2d26'],
    [752, 156, '#e9e2d0'],
  ]
  return piles
    .map(([x, wide, cloth], index) => {
      const y = 512 - (index + 1) * 32
      return `<rect x="${x}" y="${y}" width="${wide}" height="31" rx="4" fill="${cloth}"/><rect x="${x + 24}" y="${y + 12}" width="${wide * 0.4}" height="4" fill="#fff" opacity=".45"/><rect x="${x}" y="${y + 22}" width="${wide}" height="9" fill="#000" opacity=".18"/>`
    })
    .join('')
}

function lamp(): string {
  return `<path d="M1010 500v-86" stroke="${colour.goldLight}" stroke-width="7"/><ellipse cx="1010" cy="504" rx="52" ry="10" fill="${colour.gold}"/><path d="M962 414h96l-22 -74h-52z" fill="#ffe9bd"/><path d="M962 414h96l-4 -12h-88z" fill="${colour.goldLight}"/>`
}

function cat(): string {
  return `<path d="M60 762c-14 -70 10 -112 56 -118c4 -4 2 -10 -2 -18q-4 -28 2 -44l20 20q14 -4 28 0l20 -20q8 24 2 48c-4 16 -14 26 -14 34c30 22 40 62 36 98z" fill="#1f1a17"/><path d="M204 756c40 4 50 -30 30 -52" fill="none" stroke="#1f1a17" stroke-width="15" stroke-linecap="round"/><circle cx="139" cy="620" r="4.5" fill="${colour.goldLight}"/><circle cx="163" cy="620" r="4.5" fill="${colour.goldLight}"/><path d="M148 631l3 3l3 -3" stroke="#b98b5e" stroke-width="2" fill="none"/>`
}
